import { until } from "@belfry/test-kit";
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { cancel, made2xx, startRun, untilEnd, untilState } from "../support/tasks.ts";
import { expectNext, expectRuns, place, useDaemon, watch, type Watching } from "../support/watchers.ts";
import { startWriter } from "../support/watchers-writer.ts";

const daemon = useDaemon();

test("of 1,000 files in fresh nested directories, none is missed, and none is handed over twice", async () => {
  await using watching = await watch(daemon(), { watcher: { recursive: true, debounce: "25ms", stability: "25ms" } });
  const names: string[] = [];
  for (let index = 0; index < 1_000; index++) {
    const folder = `a${index % 10}/b${index}/c/d${index}`;
    mkdirSync(watching.path(folder), { recursive: true });
    place(watching.root, `${folder}/file`);
    names.push(`${folder}/file`);
  }
  place(watching.root, "last");
  const all = [...names, "last"].toSorted();
  await watching.untilFiles(all.length);
  expect((await watching.ended()).flat().toSorted()).toEqual(all);
});

test("a slow writer's file is handed over once, complete, however often its writer rests for less than debounce and stability", async () => {
  for (let isDecided = false; !isDecided;) {
    await using watching = await watch(daemon(), {
      watcher: { debounce: "500ms", stability: "500ms" },
      script: `wc -c < "$(tr -d '\\0' < "$BELFRY_FILES_FILE" | head -1)" || true`,
    });
    let longestMs = 0;
    let lastBegunAt = performance.now();
    const file = openSync(watching.path("slow"), "w");
    for (let part = 0; part < 12; part++) {
      const begunAt = performance.now();
      writeSync(file, "x".repeat(1_000));
      longestMs = Math.max(longestMs, performance.now() - lastBegunAt);
      lastBegunAt = begunAt;
      // the writer is slow: nothing to wait for
      await pause(60);
    }
    closeSync(file);
    // a machine that paused for as long as both has let the writer rest for too long
    isDecided = longestMs < 900;
    if (!isDecided) continue;
    await watching.untilEnded(1);
    const [run] = await watching.runs();
    expect((await daemon().call("GET", `/v1/runs/${run.id}/output`)).text.trim()).toBe("12000");
    await expectRuns(watching, ["slow"]);
  }
});

test("a file that never rests is never handed over, the others go at max_wait, and health says so until it rests", async () => {
  for (let isDecided = false; !isDecided;) {
    await using watching = await watch(daemon(), {
      watcher: { debounce: "50ms", stability: "2s", max_wait: "5s" },
    });
    const writer = await startWriter(watching.path("restless"), 1_000);
    const checks = expectOthersToGo(watching).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    // a writer that has rested ends by itself, and then the checks decide nothing
    await Promise.race([checks, writer.wasRestless]);
    isDecided = await writer.stop();
    if (!isDecided) continue;
    const failed = await checks;
    if (failed !== null) throw failed.error;
    expect(await watching.untilEnded(3)).toEqual([["calm"], ["later"], ["restless"]]);
    await watching.untilHealth("observing");
  }
});

/** While a file never rests. */
async function expectOthersToGo(watching: Watching): Promise<void> {
  place(watching.root, "calm");
  expect(await watching.untilEnded(1)).toEqual([["calm"]]);
  const { health } = await watching.untilHealth("degraded");
  expect(health.reason).toContain("change too often");
  place(watching.root, "later");
  expect(await watching.untilEnded(2)).toEqual([["calm"], ["later"]]);
}

test("a change while the task runs gives exactly one more run, 100 times", async () => {
  await using watching = await watch(daemon(), { watcher: { debounce: "25ms", stability: "25ms" } });
  for (let time = 0; time < 100; time++) {
    await watching.whileHeld(async () => {
      for (const name of ["one", "two"]) place(watching.root, name, `${time}`);
      // the run ends before the changes have settled, or after that
      if (time % 2 === 0) await watching.untilWaiting();
    });
    await expectNext(watching, "one", "two");
  }
  await expectRuns(watching);
  expect(await watching.runs()).toHaveLength(201);
}, 1_800_000);

test("what changes again while settled files wait goes to the one next run with them", async () => {
  await using watching = await watch(daemon(), { watcher: { debounce: "25ms", stability: "25ms" } });
  await using beside = await watch(daemon(), { watcher: { path: watching.root } });
  await watching.whileHeld(async () => {
    for (const name of ["one", "two", "one"]) {
      place(watching.root, name);
      await watching.untilWaiting();
    }
    rmSync(watching.path("two"));
    place(watching.root, "three");
    await untilNoticed(beside, watching.path("three"));
  });
  await expectRuns(watching, ["one", "three"]);
});

test("files that settle while a run waits for its start join it, once each", async () => {
  await using watching = await watch(daemon());
  watching.hold();
  const blocking = await startRun(daemon(), { id: watching.taskId });
  await untilState(daemon(), blocking, "running");
  for (const names of [["one"], ["one", "two"], ["one", "three", "two"]]) {
    place(watching.root, names[names.length > 2 ? 1 : names.length - 1]!);
    const files = await until("the file of the waiting run", async () => {
      const [run] = await watching.runs();
      if (run === undefined) return null;
      const listed = readFileSync(join(daemon().dataDir, "watchers", "files", run.id), "utf8")
        .split("\0")
        .slice(0, -1);
      return listed.length >= names.length ? listed : null;
    });
    expect(files.map((path) => basename(path)).toSorted()).toEqual(names);
  }
  watching.release();
  await untilEnd(daemon(), blocking);
  await expectRuns(watching, ["one", "three", "two"]);
});

test("a task that skips conflicting runs is asked once it has room, and no skipped row is made", async () => {
  await using watching = await watch(daemon(), { task: { concurrency: { limit: 1, on_conflict: "skip" } } });
  await using beside = await watch(daemon(), { watcher: { path: watching.root } });
  watching.hold();
  const blocking = await startRun(daemon(), { id: watching.taskId });
  await untilState(daemon(), blocking, "running");
  place(watching.root, "one");
  await watching.untilWaiting();
  place(watching.root, "two");
  await untilNoticed(beside, watching.path("two"));
  watching.release();
  await untilEnd(daemon(), blocking);
  await expectRuns(watching, ["one", "two"]);
  expect((await watching.runs()).map(({ state }) => state)).toEqual(["succeeded", "succeeded"]);
});

test("a task that replaces conflicting runs: a change replaces the active run, and the new run has the files of both", async () => {
  await using watching = await watch(daemon(), { task: { concurrency: { limit: 1, on_conflict: "replace" } } });
  watching.hold();
  place(watching.root, "one");
  await until("the first run", async () =>
    existsSync(join(watching.place, "handed", (await watching.runs())[0]?.id ?? "none")),
  );
  place(watching.root, "two");
  await watching.untilEnded(1);
  await until("the second run", async () => (await watching.runs())[1]?.state === "running");
  watching.release();
  await expectRuns(watching, ["one"], ["one", "two"]);
  const runs = await watching.runs();
  expect(runs.map(({ state, reason }) => [state, reason])).toEqual([
    ["cancelled", "replaced"],
    ["succeeded", "exit_code"],
    ["succeeded", "exit_code"],
  ]);
});

test("a task that cannot start leaves one skipped row, and the files wait until it is ready", async () => {
  await using watching = await watch(daemon());
  await made2xx(daemon().call("POST", `/v1/tasks/${watching.taskId}/disable`));
  for (const name of ["one", "two", "three"]) {
    place(watching.root, name);
    await until("a skipped time", async () => {
      const [run] = await watching.runs();
      return run?.state === "skipped";
    });
    await watching.untilWaiting();
  }
  expect(await watching.runs()).toHaveLength(1);
  await made2xx(daemon().call("POST", `/v1/tasks/${watching.taskId}/enable`));
  // the last one may not have been noticed yet when the task is enabled
  const all = await watching.untilFiles(3);
  expect(all.flat().toSorted()).toEqual(["one", "three", "two"]);
  watching.checked.count = all.length;
  await expectRuns(watching);
  await until(
    "the removal of the lists of ended runs",
    () => readdirSync(join(daemon().dataDir, "watchers", "files")).length === 0,
  );
});

test("the files of a run that is cancelled before its start go to the next one", async () => {
  await using watching = await watch(daemon());
  watching.hold();
  const blocking = await startRun(daemon(), { id: watching.taskId });
  await untilState(daemon(), blocking, "running");
  place(watching.root, "one");
  const queued = await until("a waiting run", async () => (await watching.runs())[0]);
  await cancel(daemon(), queued);
  await until("another waiting run", async () => (await watching.runs()).length === 2);
  watching.release();
  await untilEnd(daemon(), blocking);
  await expectRuns(watching, ["one"]);
});

/** Resolves once a watcher of the same directory has handed a file over: whoever observes it has noticed its change by then. */
async function untilNoticed(beside: Watching, path: string): Promise<void> {
  await until("the change is noticed", async () => (await beside.ended()).flat().includes(path));
}
