import { describe, expect, test } from "vitest";
import type { Json } from "../support/harness.ts";
import { describeRow, minuteMs, openScheduling } from "../support/schedules.ts";

const hourMs = 60 * minuteMs;

type Scheduling = Awaited<ReturnType<typeof openScheduling>>;

/** The delays of the next runs, as the preview shows them. */
async function delaysOf(
  scheduling: Scheduling,
  { id }: { readonly id: string },
  count = 5,
): Promise<readonly number[]> {
  const { occurrences } = await scheduling.send("POST", "/v1/schedules/preview", { schedule_id: id, count });
  return (occurrences as Json[]).map(({ instant, due_at }) => Date.parse(due_at) - Date.parse(instant));
}

describe("the spread of a schedule", () => {
  test("is one delay for all its times, under an hour, different for each schedule, and kept by a restart", async () => {
    await using scheduling = await openScheduling("2026-03-01T00:30:00Z");
    const task = await scheduling.addTask();
    const schedules = [];
    for (let index = 0; index < 20; index++)
      schedules.push(await scheduling.addSchedule(task.id, { kind: "cron", expression: "0 3 * * *", spread: true }));
    const delays = new Set<number>();
    for (const schedule of schedules) {
      expect(schedule.spread).toBe(true);
      const own = await delaysOf(scheduling, schedule);
      expect(new Set(own).size).toBe(1);
      expect(own[0]).toBeLessThan(hourMs);
      delays.add(own[0]!);
    }
    expect(delays.size).toBeGreaterThan(15);
    expect(Math.max(...delays)).toBeGreaterThan(hourMs / 2);
    const before = await delaysOf(scheduling, schedules[0]);
    await scheduling.stop();
    await scheduling.start();
    expect(await delaysOf(scheduling, schedules[0])).toEqual(before);
  });

  test.each([
    [{ kind: "interval", every: "10s" }, 10_000],
    [{ kind: "interval", every: "1d" }, hourMs],
    [{ kind: "cron", expression: "* * * * *" }, minuteMs],
    [{ kind: "cron", expression: "*/2 * * * * *" }, 2_000],
    [{ kind: "cron", expression: "0,7 3 * * 1" }, 7 * minuteMs],
    [{ kind: "cron", expression: "0 0 29 2 *" }, hourMs],
    // across midnight
    [{ kind: "cron", expression: "58 23,0 * * *" }, hourMs],
    [{ kind: "cron", expression: "0 1 * * *", starts_at: "2027-01-01T00:00:00Z" }, hourMs],
    // when clocks go forward, 02:30 moves to 03:00, half an hour after 01:30
    [{ kind: "cron", expression: "30 1-3 * * *", time_zone: "Europe/Berlin" }, 30 * minuteMs],
  ])("of %j is shorter than the time between two of its times", async (timing, maxMs) => {
    await using scheduling = await openScheduling("2026-01-01T00:30:00Z");
    const task = await scheduling.addTask();
    const delays: number[] = [];
    for (let index = 0; index < 8; index++) {
      const schedule = await scheduling.addSchedule(task.id, { ...timing, spread: true });
      delays.push((await delaysOf(scheduling, schedule, 1))[0]!);
    }
    expect(Math.max(...delays)).toBeLessThan(maxMs);
    expect(Math.max(...delays)).toBeGreaterThan(maxMs / 10);
  });

  test("delays a run, whose scheduled time stays, and jitter is added to it", async () => {
    await using scheduling = await openScheduling("2026-03-01T00:30:00Z");
    const task = await scheduling.addTask();
    const schedule = await scheduling.addSchedule(task.id, { kind: "cron", expression: "0 * * * *", spread: true });
    const [spreadMs = 0] = await delaysOf(scheduling, schedule);
    await scheduling.clock.advance(30 * minuteMs + spreadMs - 1);
    expect(await scheduling.runs(task.id)).toEqual([]);
    const why = async () => (await scheduling.send("GET", `/v1/tasks/${task.id}/why`)).schedules[0].reason;
    expect(await why()).toMatch(/^The run is not due yet; with its spread it is due at 2026-03-01T01:/);
    await scheduling.clock.advance(1);
    expect((await scheduling.runs(task.id)).map(describeRow)).toEqual(["01 01:00 queued"]);
    await scheduling.send("PATCH", `/v1/schedules/${schedule.id}`, { jitter: "5m" });
    for (const delayMs of await delaysOf(scheduling, schedule)) {
      expect(delayMs).toBeGreaterThanOrEqual(spreadMs);
      expect(delayMs).toBeLessThanOrEqual(spreadMs + 5 * minuteMs);
    }
  });

  test("follows a change of the times, and ends when it is switched off", async () => {
    await using scheduling = await openScheduling("2026-03-01T00:30:00Z");
    const task = await scheduling.addTask();
    const schedule = await scheduling.addSchedule(task.id, { kind: "cron", expression: "0 3 * * *", spread: true });
    const [daily = 0] = await delaysOf(scheduling, schedule);
    await scheduling.send("PATCH", `/v1/schedules/${schedule.id}`, { expression: "* * * * *" });
    const [minutely = 0] = await delaysOf(scheduling, schedule);
    // the same share of a shorter time
    expect(minutely).toBe(Math.floor(daily / 60));
    expect(await scheduling.send("PATCH", `/v1/schedules/${schedule.id}`, { spread: false })).toMatchObject({
      spread: false,
      revision: 3,
    });
    expect(await delaysOf(scheduling, schedule)).toEqual([0, 0, 0, 0, 0]);
  });
});
