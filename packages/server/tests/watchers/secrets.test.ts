import { filesBelow, tempDir, until } from "@belfry/test-kit";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { query } from "../support/api.ts";
import { useDaemonProcess } from "../support/processes/daemon-process.ts";
import { openStream } from "../support/stream.ts";
import { makeTask, untilReady } from "../support/tasks.ts";
import { place, watch } from "../support/watchers.ts";

const daemons = useDaemonProcess();

const word = "planted8Wr2";

test("the names of matched files are found in no database page, write-ahead log, log, event, audit row or state on disk, and in the file of a run only until it ends", async () => {
  await using dir = await tempDir("bf-");
  writeFileSync(join(dir.path, "config.toml"), '[log]\nlevel = "debug"\n');
  await using daemon = await daemons.start({ dataDir: dir.path });
  await untilReady(daemon, await makeTask(daemon, "true"));
  await using stream = await openStream(daemon.socketPath, "/v1/events");
  await using watching = await watch(daemon, {
    watcher: { recursive: true, debounce: "25ms", stability: "25ms", max_wait: "300ms" },
    arrange: (root) => {
      mkdirSync(join(root, `${word}-folder`));
      writeFileSync(join(root, `${word}-former`), "former");
      writeFileSync(join(root, `${word}-folder`, `${word}-former`), "former");
    },
  });
  await using file = await watch(daemon, { watcher: { kind: "file" }, member: "exact" });
  place(watching.root, `${word}-new`);
  place(watching.root, `${word}-folder/${word}-new`);
  await watching.untilFiles(2);
  writeFileSync(file.path(`${word}-neighbour`), "neighbour");
  place(file.root, "exact");
  await file.untilEnded(1);
  // the unhappy ways too: a run that waits and is cancelled, an unreadable directory, a file that becomes a directory
  watching.hold();
  place(watching.root, `${word}-held`);
  const held = await until("a run", async () => (await watching.runs()).find(({ state }) => state === "running"));
  expect(textIn(join(dir.path, "watchers", "files", held.id))).toContain(word);
  await daemon.call("POST", `/v1/runs/${held.id}/cancel`);
  watching.release();
  rmSync(watching.path(`${word}-new`));
  mkdirSync(watching.path(`${word}-new`));
  await daemon.call("POST", `/v1/tasks/${watching.taskId}/disable`);
  place(watching.root, `${word}-skipped`);
  await watching.untilWaiting();
  rmSync(watching.root, { recursive: true });
  await watching.untilHealth("missing_path");
  await stream.until("the event of its health", () =>
    stream.frames.some(({ data }) => JSON.stringify(data).includes("missing_path")),
  );
  for (const path of [`/v1/runs`, `/v1/tasks/${watching.taskId}/why`, `/v1/filesystem-watchers/${watching.id}`])
    expect((await daemon.call("GET", path)).text).not.toContain(word);
  await until("no file of a run", () => readdirSync(join(dir.path, "watchers", "files")).length === 0);

  expect(JSON.stringify(stream.frames)).not.toContain(word);
  expect(JSON.stringify(query(daemon, "SELECT * FROM audit_events"))).not.toContain(word);
  const before = (await filesBelow(dir.path)).filter((path) => textIn(path).includes(word));
  expect(before).toEqual([]);
  await daemon.stop();
  expect(daemon.output()).not.toContain(word);
  expect((await filesBelow(dir.path)).filter((path) => textIn(path).includes(word))).toEqual([]);
});

/** Returns the text of a file; none if it is gone meanwhile, as the files of a runner that left are. */
function textIn(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}
