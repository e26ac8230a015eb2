import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { type Harness, startDaemon } from "../support/harness.ts";
import { untilRound } from "../support/rounds.ts";
import { listRuns, makeTask } from "../support/tasks.ts";
import { readHistory } from "../support/processes/kill-checks.ts";

const atOnce = 8;
const runsMax = 400;

test("a long queue that is due at one time completes each run once, and never exceeds the limit", async () => {
  const clock = new ManualClock();
  await using daemon = await startDaemon({ clock, config: { runsAtOnceMax: 2 * atOnce } });
  const command = { kind: "exec", program: "/bin/true" };
  const task = await makeTask(daemon, "", { command, concurrency: { limit: atOnce }, retention: { runs: runsMax } });
  await fillQueue(daemon, task, clock.now() + 60_000);
  await clock.advance(60_000);
  for (const state of ["queued", "dispatching", "running"])
    await untilRound(
      daemon,
      `no run is ${state}`,
      async () => (await listRuns(daemon, `state=${state}&limit=1`)).length === 0,
    );

  const { runs, attempts } = readHistory(daemon.dataDir);
  expect(runs.filter(({ state }) => state === "succeeded")).toHaveLength(runsMax);
  expect(attempts).toHaveLength(runsMax);
  expect(new Set(attempts.map(({ runId }) => runId)).size).toBe(runs.length);
  expect(
    mostAtOnce(attempts.map(({ startedAt, endedAt }) => ({ from: startedAt!, until: endedAt! }))),
  ).toBeLessThanOrEqual(atOnce);
});

async function fillQueue(daemon: Harness, task: { readonly id: string }, at: number): Promise<void> {
  const body = { scheduled_for: new Date(at).toISOString() };
  for (let asked = 0; asked < runsMax; asked += 50) {
    await Promise.all(Array.from({ length: 50 }, () => daemon.call("POST", `/v1/tasks/${task.id}/run`, body)));
  }
}

/**
 * Returns the highest number of overlapping spans. A span that ends in the millisecond in which another begins does not
 * overlap it.
 */
function mostAtOnce(spans: readonly { readonly from: number; readonly until: number }[]): number {
  const steps = spans.flatMap(({ from, until: end }) => [
    { at: from, change: 1 },
    { at: end, change: -1 },
  ]);
  let now = 0;
  let most = 0;
  for (const { change } of steps.sort((a, b) => a.at - b.at || a.change - b.change))
    most = Math.max(most, (now += change));
  return most;
}
