import { until } from "@belfry/test-kit";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { claimFolder } from "../../src/runner/places.ts";
import { leavers, leaving, leftIn } from "../support/processes/leavers.ts";
import { makePlace, type Place, shell, startRunner } from "../support/processes/runner-process.ts";

function killing(place: Place, script: string, more: object = {}) {
  const spec = shell(place, "a", script, { leftovers: "kill", graceMs: 300, ...more });
  return { ...spec, environment: { ...spec.environment, PLACE: place.notes } };
}

test.each(Object.entries(leavers))("%s ends with its task, whose exit code stays", async (_, leaver) => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const daemon = await runner.connect();
  daemon.start("a", killing(place, leaving([leaver], 3)));
  expect(await daemon.end("a")).toMatchObject({ cause: "exit", exitCode: 3, signal: null });
  expect(await leftIn(place.notes)).toEqual([]);
});

test("by default what a task leaves keeps running", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const daemon = await runner.connect();
  daemon.start("a", killing(place, leaving(Object.values(leavers), 0), { leftovers: undefined }));
  expect(await daemon.end("a")).toMatchObject({ cause: "exit", exitCode: 0, detail: null });
  const left = await leftIn(place.notes);
  expect(left).toHaveLength(Object.values(leavers).length);
  for (const { pid } of left) process.kill(pid, "SIGKILL");
});

test("the exit is in the claim before the first signal, and the duration ends with it", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const daemon = await runner.connect();
  const leaver = `sh -c 'trap "cat $CLAIM/claim > $0/seen" TERM; echo $$ >> "$0/pids"; while :; do sleep 0.05; done' "$PLACE" &`;
  daemon.start("a", killing(place, leaving([leaver], 0), { graceMs: 600 }));
  const end = await daemon.end("a");
  expect(await readFile(join(place.notes, "seen"), "utf8")).toContain(
    '{"attempt":"a","exit":{"exitCode":0,"signal":null,',
  );
  expect(end.endedAt - end.exitedAt!).toBeGreaterThan(590);
  expect(end.durationMs).toBeLessThan(end.endedAt - end.startedAt! - 500);
});

test("a cancel while leftovers are ended skips the rest of their grace, and the exit stays", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const daemon = await runner.connect();
  daemon.start("a", killing(place, leaving([leavers["a process that ignores TERM"]], 0), { graceMs: 3_600_000 }));
  await daemon.waitFor("started", "a");
  const claim = join(claimFolder(place.dataDir, "a"), "claim");
  await until("the exit is noted", async () => (await readFile(claim, "utf8")).includes('"exit"'));
  daemon.cancel("a", 0);
  expect(await daemon.end("a")).toMatchObject({ cause: "exit", exitCode: 0 });
  expect(await leftIn(place.notes)).toEqual([]);
});
