import { fc } from "@belfry/test-kit/properties";
import { expect, test } from "vitest";
import { minuteMs, openScheduling } from "../support/schedules.ts";

const start = Date.parse("2026-03-01T00:00:00Z");
const everyMs = 7 * minuteMs;

type Step =
  | { readonly do: "wait" | "sleep" | "restart"; readonly minutes: number }
  | { readonly do: "disable" | "enable" | "resume" | "pause" | "rename" }
  | { readonly do: "pause"; readonly minutes: number };

const minutes = fc.integer({ min: 1, max: 60 });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant("wait" as const), minutes }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("sleep" as const), minutes }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const), minutes }) },
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constantFrom("disable", "enable", "enable", "resume", "pause", "rename") }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("pause" as const), minutes }) },
  ),
  { minLength: 20, maxLength: 40 },
);

/** The expected due times, derived only from the steps and when each happened. */
function createModel() {
  let isEnabled = true;
  let pausedUntil = -Infinity;
  const due: number[] = [];
  return {
    due,
    /** Half a minute past, so that no step coincides with a scheduled time. */
    pass: (from: number, until: number): void => {
      for (let at = start + everyMs; at <= until; at += everyMs) {
        if (at > from && isEnabled && at >= pausedUntil) due.push(at);
      }
    },
    say: (step: Step, now: number): void => {
      if (step.do === "enable" || step.do === "disable") isEnabled = step.do === "enable";
      if (step.do === "resume") pausedUntil = -Infinity;
      if (step.do === "pause") pausedUntil = "minutes" in step ? now + step.minutes * minuteMs : Infinity;
    },
  };
}

test("after any changes, sleeps and restarts, every due time is in exactly one row, and no row has another time", async () => {
  await fc.assert(
    fc.asyncProperty(
      steps,
      fc.constantFrom("run_once", "run_all", "skip"),
      fc.boolean(),
      async (life, policy, isReady) => {
        await using scheduling = await openScheduling(new Date(start).toISOString());
        const task = await scheduling.addTask();
        const timing = { kind: "interval", every: "7m", misfire: { policy, max_runs: 3 } };
        const { id } = await scheduling.addSchedule(task.id, timing);
        if (!isReady) await scheduling.send("POST", `/v1/tasks/${task.id}/disable`);
        const model = createModel();
        await scheduling.clock.advance(minuteMs / 2);
        for (const [index, step] of life.entries()) {
          const before = scheduling.clock.now();
          if (step.do === "restart") await scheduling.stop();
          if (step.do === "sleep") scheduling.clock.jump(step.minutes * minuteMs);
          else if ("minutes" in step && step.do !== "pause") await scheduling.clock.advance(step.minutes * minuteMs);
          if (step.do === "restart") await scheduling.start();
          // the daemon checks the clock every ten seconds
          if (step.do === "sleep") await scheduling.clock.advance(minuteMs);
          model.pass(before, scheduling.clock.now());
          model.say(step, scheduling.clock.now());
          const path = `/v1/schedules/${id}`;
          const until =
            "minutes" in step ? new Date(scheduling.clock.now() + step.minutes * minuteMs).toISOString() : null;
          if (step.do === "rename") await scheduling.send("PATCH", path, { name: `name ${index}` });
          else if (step.do === "pause") await scheduling.send("POST", `${path}/pause`, { until });
          else if (["enable", "disable", "resume"].includes(step.do))
            await scheduling.send("POST", `${path}/${step.do}`);
        }
        const rows = (await scheduling.runs(task.id)).map((run) => ({
          at: Date.parse(run.scheduled_for),
          count: 1 + run.coalesced,
          from: Date.parse(run.coalesced_from ?? run.scheduled_for),
        }));
        let last = -Infinity;
        for (const { at, count, from } of rows) {
          expect(model.due.filter((instant) => instant > last && instant <= at)).toHaveLength(count);
          expect(model.due).toContain(at);
          expect(from).toBe(model.due.find((instant) => instant > last));
          last = at;
        }
        expect(last).toBe(model.due.at(-1) ?? -Infinity);
      },
    ),
    { numRuns: 4 },
  );
});
