import { ManualClock } from "@belfry/test-kit";
import { fc } from "@belfry/test-kit/properties";
import { expect, test } from "vitest";
import { makeTask } from "../support/api.ts";
import { openTestApplication } from "../support/application.ts";
import type { Json } from "../support/harness.ts";
import { createOracle, minuteOf, oracleSchedules } from "../support/schedule-oracle.ts";
import { dayMs, hourMs, minuteMs, openScheduling } from "../support/schedules.ts";
import { simulateRunners, succeeded } from "../support/simulated-runners.ts";

const jumps = [-dayMs, -8 * hourMs, -hourMs, 0, 0, hourMs, 8 * hourMs, dayMs, "1970", "today"] as const;

const stepArbitrary = fc.record({
  jump: fc.constantFrom(...jumps),
  runMs: fc.integer({ min: 1, max: 200 }).map((minutes) => minutes * minuteMs),
  /** Whether the daemon does not run meanwhile, and for how long. */
  stopMs: fc.option(fc.integer({ min: 0, max: 200 }).map((minutes) => minutes * minuteMs)),
  isBoot: fc.boolean(),
});

test("for any steps of the clock, each schedule has exactly the rows that the documents say", async () => {
  const check = fc.asyncProperty(fc.array(stepArbitrary, { minLength: 2, maxLength: 5 }), async (steps) => {
    const start = Date.parse("2026-03-01T00:00:00Z");
    await using scheduling = await openScheduling(new Date(start).toISOString());
    const { clock } = scheduling;
    const compared = [];
    // rows of 1970 are kept
    const kept = { retention: { age: "36525d" } };
    for (const [index, { body, of }] of oracleSchedules(start).entries()) {
      const task = await scheduling.addTask({ name: `task ${index}`, ...kept });
      await scheduling.addSchedule(task.id, body);
      compared.push({ task, oracle: createOracle(of, start), body });
    }
    const bootTask = await scheduling.addTask({ name: "boot", ...kept });
    await scheduling.addSchedule(bootTask.id, { kind: "boot" });
    const boots: string[] = [];
    // no scheduled time is near a step: all of them are at whole minutes
    await clock.advance(10_000);
    let trueNow = clock.now();
    let bootId = "test-boot";
    for (const { jump, runMs, stopMs, isBoot } of [
      { jump: 0, runMs: 90 * minuteMs, stopMs: null, isBoot: false },
      ...steps,
    ]) {
      if (stopMs !== null) {
        await scheduling.stop();
        await clock.advance(stopMs);
        trueNow += stopMs;
      }
      const now = clock.now();
      const earliest = dayMs + (now % minuteMs);
      const target = jump === "1970" ? earliest : jump === "today" ? trueNow : Math.max(earliest, now + jump);
      clock.jump(target - now);
      if (stopMs !== null) {
        if (isBoot) {
          bootId = `boot ${boots.length}`;
          boots.push(minuteOf(clock.now()));
        }
        await scheduling.start({ bootId });
      }
      if (jump !== 0 || stopMs !== null) for (const { oracle } of compared) oracle.leap(clock.now());
      await clock.advance(runMs);
      trueNow += runMs;
      for (const { oracle } of compared) oracle.advance(clock.now());
    }
    for (const { task, oracle, body } of compared)
      expect((await scheduling.runs(task.id)).map(describeRow), JSON.stringify(body)).toEqual(oracle.rows());
    const booted = (await scheduling.runs(bootTask.id)).map(({ scheduled_for }) => scheduled_for.slice(0, 16));
    expect(booted).toEqual(boots.toSorted());
  });
  await fc.assert(check, { numRuns: 12 });
});

function describeRow({ scheduled_for, state, coalesced, coalesced_from }: Json): string {
  const range = coalesced === 0 ? "" : ` +${coalesced} from ${coalesced_from.slice(0, 16)}`;
  return `${scheduled_for.slice(0, 16)} ${state === "skipped" ? "skipped" : "runs"}${range}`;
}

test("for any steps of the clock, the pause before a retry and the delay of a chain have their lengths", async () => {
  const step = fc.record({
    how: fc.constantFrom("advance", "advance", "jump", "suspend"),
    ms: fc.integer({ min: 1, max: 40 }).map((minutes) => minutes * minuteMs),
    jump: fc.constantFrom(-dayMs, -hourMs, hourMs, dayMs, "1970", "today"),
  });
  const check = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
    const start = Date.parse("2026-03-01T00:00:10Z");
    const clock = new ManualClock("2026-03-01T00:00:10Z");
    const runners = simulateRunners();
    await using app = await openTestApplication({ clock, canRun: true, openRunners: runners.open });
    const retry = { max_attempts: 2, delay: "1h", jitter: 0 };
    const [retried, source, target] = [await makeTask(app, { retry }), await makeTask(app), await makeTask(app)];
    const body = { source_task_id: source.id, target_task_id: target.id, on_outcome: "success", delay: "1h" };
    expect((await app.call("POST", "/v1/chains", body)).status).toBe(201);
    for (const task of [retried, source]) await app.call("POST", `/v1/tasks/${task.id}/run`);
    await app.rounds.engine.idle();
    for (const { attempt } of runners.listStarts()) {
      const exitCode = app.inside.runStore.findByAttempt(attempt)?.taskId === retried.id ? 1 : 0;
      runners.report({ is: "ended", attempt, end: { ...succeeded(clock.now()), exitCode } });
    }
    await app.rounds.engine.idle();
    const beganMs = clock.uptimeMs();
    for (const { how, ms, jump } of steps) {
      if (how === "jump") clock.jump(typeof jump === "number" ? jump : (jump === "1970" ? dayMs : start) - clock.now());
      if (how === "suspend") clock.suspend(ms);
      await clock.advance(how === "advance" ? ms : 0);
      await app.rounds.engine.idle();
      const passedMs = clock.uptimeMs() - beganMs;
      const starts = runners.listStarts().length - 2;
      if (passedMs < hourMs) expect(starts).toBe(0);
      // the engine looks at the clock at least every 30 seconds
      else if (how === "advance") expect(starts).toBe(2);
    }
  });
  await fc.assert(check, { numRuns: 12 });
});
