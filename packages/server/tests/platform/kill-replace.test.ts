import { tempDir, until } from "@belfry/test-kit";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundleDaemon } from "../support/processes/bundle.ts";
import { startDaemonProcess } from "../support/processes/daemon-process.ts";
import { survivorsOf } from "../support/processes/runners.ts";
import { getRun, makeTask, startRun, untilEnd, untilState } from "../support/tasks.ts";

/** Notes that it begins. It ignores TERM, and ends once it may. */
const script = `
echo "$BELFRY_RUN_ID" >> "$PLACE/ledger"
if [ -e "$PLACE/quick" ]; then exit 0; fi
trap '' TERM
until [ -e "$PLACE/end" ]; do sleep 0.05; done`;

test("a daemon killed between a cancel and the start of the new run: the old one goes first, and the newest run starts once", async () => {
  await using place = await tempDir();
  await using bundle = await bundleDaemon();
  const options = { belfryd: bundle.belfryd, dataDir: join(place.path, "data") };
  const ledger = async () => (await readFile(join(place.path, "ledger"), "utf8")).split("\n").slice(0, -1);
  const first = await startDaemonProcess(options);
  const task = await makeTask(first, script, {
    environment: { PLACE: place.path },
    kill_grace: "1h",
    concurrency: { on_conflict: "replace" },
  });
  const old = await startRun(first, task);
  await untilState(first, old, "running");
  await until("the old run to begin", async () => (await ledger()).length === 1);
  await writeFile(join(place.path, "quick"), "");
  const newcomers = await Promise.all(Array.from({ length: 100 }, () => startRun(first, task)));
  expect((await getRun(first, old)).state).toBe("cancelling");
  process.kill(first.pid, "SIGKILL");
  await first.kill();
  // the process is in its grace
  expect(await survivorsOf(`PLACE=${place.path}`)).not.toEqual([]);

  await using second = await startDaemonProcess(options);
  const rows = await Promise.all(newcomers.map((run) => getRun(second, run)));
  const [waiting] = rows.filter(({ state }) => state !== "skipped");
  await writeFile(join(place.path, "end"), "");
  expect(await untilEnd(second, old)).toMatchObject({ state: "cancelled", reason: "replaced" });
  expect(await untilEnd(second, waiting)).toMatchObject({ state: "succeeded", attempt: 1 });
  const ended = await Promise.all(newcomers.map((run) => getRun(second, run)));
  expect(ended.filter(({ state, reason }) => state === "skipped" && reason === "replaced")).toHaveLength(99);
  expect(await ledger()).toEqual([old.id, waiting.id]);
  const [oldRow, newRow] = [await getRun(second, old), await getRun(second, waiting)];
  expect(Date.parse(newRow.started_at)).toBeGreaterThanOrEqual(Date.parse(oldRow.ended_at));
  expect(await survivorsOf(`PLACE=${place.path}`)).toEqual([]);
});
