import { tempDir, until } from "@belfry/test-kit";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Harness, type Json, startDaemon } from "../support/harness.ts";
import { killRunners, survivorsOf } from "../support/processes/runners.ts";
import { untilRound } from "../support/rounds.ts";
import { getRun, makeTask, outputOf, startRun, untilEnd } from "../support/tasks.ts";

/** Begins, and stays until there is a file `go`. */
const script = 'echo "$BELFRY_ATTEMPT" | tee -a "$PLACE/ledger"; until [ -e "$PLACE/go" ]; do sleep 0.02; done';

function makeLosing(daemon: Harness, place: string, more: object = {}): Promise<Json> {
  const retry = { delay: "0s", ...more };
  return makeTask(daemon, script, { environment: { PLACE: place }, kill_grace: "0s", on_lost: "retry", retry });
}

async function readLedger(place: string): Promise<string> {
  return readFile(join(place, "ledger"), "utf8").catch(() => "");
}

/** Kills the runner during each of these attempts, once it has kept what its process wrote. */
async function killDuring(daemon: Harness, run: Json, of: { readonly place: string; readonly attempts: number }) {
  for (let attempt = 1; attempt <= of.attempts; attempt++) {
    await until(`attempt ${attempt}`, async () => (await readLedger(of.place)).endsWith(`${attempt}\n`));
    await untilRound(daemon, `attempt ${attempt} is running`, async () => {
      const now = await getRun(daemon, run);
      return now.state === "running" && now.attempt === attempt;
    });
    // what a runner has not read from its process goes with it
    await until(`the output of attempt ${attempt}`, async () =>
      (await outputOf(daemon, run, `?attempt=${attempt}`)).endsWith("\n"),
    );
    await killRunners(daemon.dataDir);
  }
}

test("a runner killed during each attempt: a lost attempt is retried, with all attempts of the task", async () => {
  await using place = await tempDir();
  await using daemon = await startDaemon();
  const run = await startRun(daemon, await makeLosing(daemon, place.path, { max_attempts: 3 }));
  await killDuring(daemon, run, { place: place.path, attempts: 2 });
  await until("the last attempt", async () => (await readLedger(place.path)).endsWith("3\n"));
  await writeFile(join(place.path, "go"), "");
  expect(await untilEnd(daemon, run)).toMatchObject({ state: "succeeded", attempt: 3, attempts_max: 3 });
  expect(await readLedger(place.path)).toBe("1\n2\n3\n");
  for (const attempt of [1, 2, 3]) expect(await outputOf(daemon, run, `?attempt=${attempt}`)).toBe(`${attempt}\n`);
});

test("a task without retries gets one more attempt for a lost one, and the second loss is final", async () => {
  await using place = await tempDir();
  await using daemon = await startDaemon();
  const run = await startRun(daemon, await makeLosing(daemon, place.path));
  await killDuring(daemon, run, { place: place.path, attempts: 2 });
  expect(await untilEnd(daemon, run)).toMatchObject({
    state: "failed",
    outcome: "failure",
    reason: "lost",
    attempt: 2,
    attempts_max: 2,
  });
  expect(await readLedger(place.path)).toBe("1\n2\n");
  expect(await survivorsOf(`PLACE=${place.path}`)).toEqual([]);
});

test("a restart of the machine is a loss: the next daemon retries the attempt", async () => {
  await using place = await tempDir();
  const dataDir = join(place.path, "data");
  const first = await startDaemon({ dataDir, bootId: "first" });
  const run = await startRun(first, await makeLosing(first, place.path));
  await until("the first attempt", async () => (await readLedger(place.path)) === "1\n");
  await first.stop();
  // nothing of a former boot is left
  await killRunners(dataDir);
  await until("its process to go", async () => {
    await first[Symbol.asyncDispose]();
    return (await survivorsOf(`PLACE=${place.path}`)).length === 0;
  });
  await writeFile(join(place.path, "go"), "");
  await using second = await startDaemon({ dataDir, bootId: "second" });
  expect(await untilEnd(second, run)).toMatchObject({ state: "succeeded", attempt: 2, attempts_max: 2 });
  expect(await readLedger(place.path)).toBe("1\n2\n");
});
