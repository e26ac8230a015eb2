import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "@belfry/test-kit";
import { made2xx, makeTask, startRun, untilEnd, untilState } from "../support/tasks.ts";
import { expectRuns, place, useDaemon, watch, type Watching } from "../support/watchers.ts";

const daemon = useDaemon();

/** So long that the changes cannot settle before the test acts on them. */
const unsettled = { debounce: "30m", stability: "1s", max_wait: "5h" };
const quick = { debounce: "25ms", stability: "25ms" };

async function untilSettling(watching: Watching): Promise<void> {
  await until("files that are settling", async () => (await watching.why()).includes("stay unchanged"));
}

test("disabling cancels what is settling, and enabling again takes the files as they are", async () => {
  await using watching = await watch(daemon(), { watcher: unsettled });
  place(watching.root, "one");
  await untilSettling(watching);
  await watching.ask("disable");
  expect((await watching.read()).health.state).toBe("stopped");
  place(watching.root, "two");
  await watching.patch(quick);
  await watching.pass();
  await watching.ask("enable");
  await watching.untilHealth("observing");
  await expectRuns(watching);
  place(watching.root, "three");
  await expectRuns(watching, ["three"]);
});

test("disabling cancels files that wait for the end of a run", async () => {
  await using watching = await watch(daemon(), { watcher: quick });
  await watching.whileHeld(async () => {
    place(watching.root, "one");
    await watching.untilWaiting();
    await watching.pass();
    await watching.ask("disable");
    await watching.ask("enable");
    await watching.untilHealth("observing");
  });
  await expectRuns(watching);
});

test("deleting cancels what is settling and what waits, and the runs of another watcher of the same directory go on", async () => {
  await using other = await watch(daemon());
  const deleted = await watch(daemon(), { place: other.place, watcher: quick });
  other.hold();
  place(other.root, "one");
  await until("its run", async () => (await deleted.runs()).length === 1);
  place(other.root, "two");
  await deleted.untilWaiting();
  await made2xx(daemon().call("DELETE", `/v1/filesystem-watchers/${deleted.id}`));
  other.release();
  await other.untilFiles(2);
  expect((await other.ended()).flat().toSorted()).toEqual(["one", "two"]);
  expect(await deleted.untilEnded(1)).toEqual([["one"]]);
});

test("a watcher that is disabled at its creation observes nothing until it is enabled", async () => {
  await using watching = await watch(daemon(), { watcher: { enabled: false }, health: "stopped" });
  place(watching.root, "one");
  await watching.pass();
  await watching.ask("enable");
  await watching.untilHealth("observing");
  await expectRuns(watching);
});

test("what is written between the answer to the creation and the first look counts", async () => {
  for (let time = 0; time < 20; time++) {
    await using watching = await watch(daemon(), { watcher: quick, health: "any" });
    place(watching.root, "at once");
    await watching.untilHealth("observing");
    await expectRuns(watching, ["at once"]);
  }
});

test("a new pattern cancels what is settling, and takes the files as they are", async () => {
  await using watching = await watch(daemon(), { watcher: unsettled });
  for (const name of ["a.txt", "a.csv"]) place(watching.root, name);
  await untilSettling(watching);
  await watching.pass();
  await watching.patch({ pattern: "{*.csv,marker-*}", ...quick });
  await watching.untilHealth("observing");
  await expectRuns(watching);
  for (const name of ["b.txt", "b.csv"]) place(watching.root, name);
  await expectRuns(watching, ["b.csv"]);
});

test("recursion that is switched on or off, and another path, take what is there as it is", async () => {
  await using watching = await watch(daemon(), {
    watcher: quick,
    arrange: (root) => {
      for (const folder of [join(root, "sub"), `${root}2`, join(`${root}2`, "sub")]) mkdirSync(folder);
      for (const folder of [join(root, "sub"), `${root}2`]) writeFileSync(join(folder, "former"), "former");
    },
  });
  await watching.patch({ recursive: true });
  await watching.untilHealth("observing");
  await expectRuns(watching);
  place(watching.root, "sub/new");
  await expectRuns(watching, ["sub/new"]);
  await watching.patch({ recursive: false });
  await watching.untilHealth("observing");
  place(watching.root, "sub/newer");
  await expectRuns(watching);
  await watching.patch({ path: `${watching.root}2` });
  await watching.untilHealth("observing");
  const count = (await watching.ended()).length;
  place(watching.root, "not here");
  place(`${watching.root}2`, "here");
  expect((await watching.untilEnded(count + 1)).slice(count)).toEqual([[`${watching.root}2/here`]]);
});

test("shorter timings apply to what is settling already, which is kept, as it is by another name", async () => {
  await using watching = await watch(daemon(), { watcher: unsettled });
  place(watching.root, "one");
  await untilSettling(watching);
  await watching.patch({ name: "another name of this watcher" });
  await untilSettling(watching);
  await watching.patch(quick);
  await expectRuns(watching, ["one"]);
});

test("another target gets what is settling, and the former one does not", async () => {
  await using watching = await watch(daemon(), { watcher: unsettled });
  const other = await makeTask(daemon(), `tr '\\0' '\\n' < "$BELFRY_FILES_FILE"`);
  place(watching.root, "one");
  await untilSettling(watching);
  await watching.patch({ target_task_id: other.id });
  await watching.patch(quick);
  const run = await until("a run of the other task", async () => {
    const { runs } = await made2xx(daemon().call("GET", `/v1/runs?task_id=${other.id}`));
    return runs[0];
  });
  await untilEnd(daemon(), run);
  expect((await daemon().call("GET", `/v1/runs/${run.id}/output`)).text).toBe(`${watching.path("one")}\n`);
  expect(await watching.runs()).toEqual([]);
});

test("the deletion of the target keeps the watcher, and its files wait for another target", async () => {
  await using watching = await watch(daemon(), { watcher: quick });
  await made2xx(daemon().call("DELETE", `/v1/tasks/${watching.taskId}`));
  expect((await watching.read()).reason).toBe("target_missing");
  place(watching.root, "one");
  const other = await makeTask(daemon(), `tr '\\0' '\\n' < "$BELFRY_FILES_FILE"`);
  await watching.patch({ target_task_id: other.id });
  const run = await until("a run of the other task", async () => {
    const { runs } = await made2xx(daemon().call("GET", `/v1/runs?task_id=${other.id}`));
    return runs[0];
  });
  await untilEnd(daemon(), run);
  expect((await daemon().call("GET", `/v1/runs/${run.id}/output`)).text).toBe(`${watching.path("one")}\n`);
});

test("a run that is held has its files until it ends, although its watcher is changed or deleted meanwhile", async () => {
  const watching = await watch(daemon(), { watcher: quick });
  const blocking = await (watching.hold(), startRun(daemon(), { id: watching.taskId }));
  await untilState(daemon(), blocking, "running");
  place(watching.root, "one");
  await until("a waiting run", async () => (await watching.runs()).length === 1);
  await watching.patch({ pattern: "*.none" });
  await made2xx(daemon().call("DELETE", `/v1/filesystem-watchers/${watching.id}`));
  watching.release();
  expect(await watching.untilEnded(1)).toEqual([["one"]]);
  await watching[Symbol.asyncDispose]();
});
