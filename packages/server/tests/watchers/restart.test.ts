import { tempDir, until } from "@belfry/test-kit";
import { appendFileSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useDaemonProcess } from "../support/processes/daemon-process.ts";
import { makeTask, untilReady } from "../support/tasks.ts";
import { expectRuns, place, watch, type WatchOptions } from "../support/watchers.ts";

const daemons = useDaemonProcess();

/** A daemon that is stopped or killed and started again on the same data, and a watcher of it. */
async function open(options: WatchOptions) {
  const dir = await tempDir("bf-");
  const start = async () => {
    const started = await daemons.start({ dataDir: dir.path });
    await untilReady(started, await makeTask(started, "true"));
    return started;
  };
  let daemon = await start();
  const watching = await watch(daemon, options);
  return {
    ...watching,
    dataDir: dir.path,
    end: async (how: "stop" | "kill"): Promise<void> => void (await daemon[how]()),
    start: async (health = "observing"): Promise<void> => {
      daemon = await start();
      await watching.untilHealth(health);
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await watching[Symbol.asyncDispose]().catch(() => {});
      await daemon[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

for (const how of ["stop", "kill"] as const) {
  test(`after a ${how}, scan hands over exactly what was created, changed or moved while the daemon was away, and ignore hands over nothing`, async () => {
    for (const on_start of ["scan", "ignore"]) {
      await using watching = await open({
        watcher: { recursive: true, on_start },
        arrange: (root) => {
          mkdirSync(join(root, "sub"));
          for (const name of ["same", "changed", "deleted", "sub/same", "sub/renamed"])
            writeFileSync(join(root, name), name);
        },
      });
      place(watching.root, "handed");
      await expectRuns(watching, ["handed"]);
      await watching.end(how);
      appendFileSync(watching.path("changed"), "more");
      rmSync(watching.path("deleted"));
      renameSync(watching.path("sub/renamed"), watching.path("sub/other"));
      mkdirSync(watching.path("fresh/deep"), { recursive: true });
      writeFileSync(watching.path("fresh/deep/new"), "new");
      await watching.start();
      if (on_start === "scan") await expectRuns(watching, ["changed", "fresh/deep/new", "sub/other"]);
      else await expectRuns(watching);
      // what is there now is known: another start finds nothing
      await watching.end(how);
      await watching.start();
      await expectRuns(watching);
    }
  });

  test(`a ${how} before the changes have settled loses none of them under scan`, async () => {
    await using watching = await open({ watcher: { debounce: "2s" } });
    place(watching.root, "unsettled");
    await watching.end(how);
    await watching.start();
    await watching.patch({ debounce: "25ms" });
    await expectRuns(watching, ["unsettled"]);
  });

  test(`the run's files stay with the run over a ${how}, and are not handed over again; those that wait for its end go to the next`, async () => {
    for (const on_start of ["scan", "ignore"]) {
      await using watching = await open({ watcher: { on_start } });
      watching.hold();
      place(watching.root, "one");
      await until("its run", async () => (await watching.runs()).some(({ state }) => state === "running"));
      place(watching.root, "two");
      await watching.untilWaiting();
      await watching.end(how);
      await watching.start();
      watching.release();
      if (on_start === "scan") await expectRuns(watching, ["one"], ["two"]);
      else await expectRuns(watching, ["one"]);
      await until("no file of a run", () => readdirSync(join(watching.dataDir, "watchers", "files")).length === 0);
    }
  });
}

test("a directory that is missing at the start, and comes back later, starts no run for what it had", async () => {
  await using watching = await open({
    watcher: { recursive: true },
    arrange: (root) => {
      mkdirSync(join(root, "sub"));
      for (const name of ["a", "sub/b"]) writeFileSync(join(root, name), name);
    },
  });
  await watching.end("stop");
  const away = join(watching.place, "away");
  renameSync(watching.root, away);
  await watching.start("missing_path");
  writeFileSync(join(away, "new"), "new");
  renameSync(away, watching.root);
  await watching.untilHealth("observing");
  await expectRuns(watching, ["new"]);
});

test("a deleted or disabled watcher leaves no state on disk", async () => {
  await using watching = await open({ arrange: (root) => writeFileSync(join(root, "former"), "former") });
  const folder = join(watching.dataDir, "watchers");
  await until("its state", () => readdirSync(folder).includes(watching.id));
  await watching.ask("disable");
  await until("no state", () => !readdirSync(folder).includes(watching.id));
  await watching.ask("enable");
  await until("its state", () => readdirSync(folder).includes(watching.id));
  await watching.daemon.call("DELETE", `/v1/filesystem-watchers/${watching.id}`);
  await until("no state", () => !readdirSync(folder).includes(watching.id));
  expect(readdirSync(folder)).toEqual(["files"]);
});
