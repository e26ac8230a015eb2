import { ManualClock } from "@belfry/test-kit";
import { fc } from "@belfry/test-kit/properties";
import { expect, test } from "vitest";
import { makeTask } from "../support/api.ts";
import { openTestApplication } from "../support/application.ts";
import { endRun } from "../support/runs.ts";

const now = Date.parse("2026-03-10T12:00:00Z");
const shownRuns = 20;

const plantedRuns = fc.array(
  fc.record({
    isSuccess: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
    endedBefore: fc.integer({ min: 1, max: 1_000_000 }),
    durationMs: fc.option(fc.integer({ min: 0, max: 100_000 }), { freq: 8 }),
  }),
  { maxLength: 40 },
);

type Planted = typeof plantedRuns extends fc.Arbitrary<infer T> ? T : never;

/** The median of the newest successes by its plain definition. `real` is the run that the others are copies of. */
function expectedMs(planted: Planted, realMs: number): number | null {
  const durations = [{ isSuccess: true, endedBefore: 0, durationMs: realMs }, ...planted]
    .map((run, index) => ({ ...run, index }))
    .filter(({ isSuccess }) => isSuccess)
    .toSorted((one, other) => one.endedBefore - other.endedBefore || other.index - one.index)
    .slice(0, shownRuns)
    .flatMap(({ durationMs }) => durationMs ?? [])
    .toSorted((one, other) => one - other);
  const [low, high] = [durations[(durations.length - 1) >> 1]!, durations[durations.length >> 1]!];
  return Math.round((low + high) / 2);
}

test("a task and its row in a timeline show the median of the last 20 successes whose duration is known", async () => {
  await fc.assert(
    fc.asyncProperty(plantedRuns, async (planted) => {
      await using app = await openTestApplication({ clock: new ManualClock("2026-03-10T12:00:00Z") });
      const task = await makeTask(app, {});
      const usual = async (): Promise<readonly [unknown, unknown]> => {
        const period = `from=2026-03-10T11:00:00Z&until=2026-03-10T13:00:00Z`;
        const { rows } = (await app.call("GET", `/v1/timeline?${period}`)).json;
        const { json } = await app.call("GET", `/v1/tasks/${task.id}`);
        return [json.usual_duration_ms, rows[0].usual_duration_ms];
      };
      expect(await usual()).toEqual([null, null]);
      const { id } = await endRun(app, task.id);
      const { runStore, write } = app.inside;
      const model = runStore.find(id)!;
      write(() => {
        for (const [index, { isSuccess, endedBefore, durationMs }] of planted.entries()) {
          runStore.insert({
            ...model,
            id: `run_${String(index).padStart(20, "0")}`,
            attemptId: null,
            state: isSuccess ? "succeeded" : "failed",
            outcome: isSuccess ? "success" : "failure",
            endedAt: now - endedBefore,
            durationMs,
          });
        }
      });
      const expected = expectedMs(planted, model.durationMs!);
      expect(await usual()).toEqual([expected, expected]);
    }),
    { numRuns: 20 },
  );
});
