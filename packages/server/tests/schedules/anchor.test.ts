import { fc } from "@belfry/test-kit/properties";
import { expect, test } from "vitest";
import type { Json } from "../support/harness.ts";
import { minuteMs, openScheduling } from "../support/schedules.ts";

const now = "2026-03-01T12:00:00.000Z";
const minutesLater = (minutes: number): string => new Date(Date.parse(now) + minutes * minuteMs).toISOString();

async function openInterval(members: object) {
  const scheduling = await openScheduling(now);
  const task = await scheduling.addTask();
  const { id } = await scheduling.addSchedule(task.id, { kind: "interval", every: "40m", ...members });
  const show = (): Promise<Json> => scheduling.get(`/v1/schedules/${id}`);
  return {
    ...scheduling,
    taskId: task.id as string,
    show,
    patch: (body: object): Promise<Json> => scheduling.send("PATCH", `/v1/schedules/${id}`, body),
    preview: async (from: string): Promise<string[]> => {
      const body = { schedule_id: id, from, count: 3 };
      return (await scheduling.send("POST", "/v1/schedules/preview", body)).occurrences.map((o: Json) => o.instant);
    },
  };
}

test("an interval counts from its creation, and first runs one length after it", async () => {
  await using interval = await openInterval({});
  expect(await interval.show()).toMatchObject({ anchored_at: now, starts_at: null, next_run_at: minutesLater(40) });
});

test("an interval with a start counts from that start, whether past or future", async () => {
  await using ahead = await openInterval({ starts_at: minutesLater(25) });
  expect(await ahead.show()).toMatchObject({ anchored_at: minutesLater(25), next_run_at: minutesLater(25) });
  await using past = await openInterval({ starts_at: minutesLater(-25) });
  expect(await past.show()).toMatchObject({ anchored_at: minutesLater(-25), next_run_at: minutesLater(15) });
});

test("another length counts from its change, which is the anchor once the start no longer applies", async () => {
  await using interval = await openInterval({ starts_at: minutesLater(-25) });
  await interval.clock.advance(10 * minuteMs);
  const changed = await interval.patch({ every: "1h" });
  expect(changed).toMatchObject({
    starts_at: minutesLater(-25),
    anchored_at: minutesLater(10),
    next_run_at: minutesLater(70),
  });
  expect(await interval.preview(minutesLater(10))).toEqual([minutesLater(70), minutesLater(130), minutesLater(190)]);
  await interval.clock.advance(5 * minuteMs);
  expect(await interval.patch({ every: "60m" })).toMatchObject({ anchored_at: minutesLater(10) });
  expect(await interval.patch({ starts_at: minutesLater(-25) })).toMatchObject({ anchored_at: minutesLater(10) });
});

test("another length counts from a start in the future", async () => {
  await using interval = await openInterval({ starts_at: minutesLater(25) });
  expect(await interval.patch({ every: "1h" })).toMatchObject({
    anchored_at: minutesLater(25),
    next_run_at: minutesLater(25),
  });
});

test("another start is the anchor, even with another length", async () => {
  await using interval = await openInterval({});
  expect(await interval.patch({ starts_at: minutesLater(-5) })).toMatchObject({
    anchored_at: minutesLater(-5),
    next_run_at: minutesLater(35),
  });
  expect(await interval.patch({ starts_at: minutesLater(-7), every: "10m" })).toMatchObject({
    anchored_at: minutesLater(-7),
    next_run_at: minutesLater(3),
  });
});

test("clearing the start keeps the anchor: the schedule then also runs before the former start, at the same interval", async () => {
  await using past = await openInterval({ starts_at: minutesLater(-25) });
  expect(await past.patch({ starts_at: null })).toMatchObject({
    anchored_at: minutesLater(-25),
    next_run_at: minutesLater(15),
  });
  await using ahead = await openInterval({ starts_at: minutesLater(90) });
  expect(await ahead.patch({ starts_at: null })).toMatchObject({
    anchored_at: minutesLater(90),
    next_run_at: minutesLater(10),
  });
  await ahead.clock.advance(60 * minuteMs);
  expect((await ahead.runs(ahead.taskId)).map((run) => run.scheduled_for)).toEqual([
    minutesLater(10),
    minutesLater(50),
  ]);
  await using changed = await openInterval({ starts_at: minutesLater(-25) });
  await changed.patch({ every: "1h" });
  expect(await changed.patch({ starts_at: null })).toMatchObject({ anchored_at: now, next_run_at: minutesLater(60) });
});

test("only an interval has an anchor", async () => {
  await using scheduling = await openScheduling(now);
  const task = await scheduling.addTask();
  for (const timing of [
    { kind: "cron", expression: "0 3 * * *", starts_at: minutesLater(5) },
    { kind: "once", at: minutesLater(5) },
    { kind: "boot" },
  ])
    expect(await scheduling.addSchedule(task.id, timing)).toMatchObject({ anchored_at: null });
});

test("an interval has no scheduled time at or before its creation", async () => {
  await using interval = await openInterval({});
  expect(await interval.preview(minutesLater(-500))).toEqual([minutesLater(40), minutesLater(80), minutesLater(120)]);
  const why = await interval.get(`/v1/tasks/${interval.taskId}/why?at=${now}`);
  expect(why.schedules).toMatchObject([{ decision: "not_due", instant: null }]);
});

test("after any patch, future times are whole lengths away from the shown anchor", async () => {
  const minutes = fc.integer({ min: -300, max: 300 });
  const patches = fc.array(
    fc.oneof(
      fc.integer({ min: 1, max: 90 }).map((every) => ({ every: `${every}m` })),
      minutes.map((at) => ({ starts_at: minutesLater(at) })),
      fc.constant({ starts_at: null }),
      fc.tuple(fc.integer({ min: 1, max: 90 }), minutes).map(([every, at]) => ({
        every: `${every}m`,
        starts_at: minutesLater(at),
      })),
    ),
    { minLength: 1, maxLength: 4 },
  );
  await using interval = await openInterval({});
  const check = fc.asyncProperty(patches, fc.integer({ min: 0, max: 5 }), async (all, wait) => {
    for (const patch of all) await interval.patch(patch);
    await interval.clock.advance(wait * minuteMs);
    const { anchored_at, every, next_run_at } = await interval.show();
    const everyMs = every.endsWith("h") ? Number.parseInt(every) * 60 * minuteMs : Number.parseInt(every) * minuteMs;
    for (const at of [next_run_at, ...(await interval.preview(next_run_at))])
      expect(Math.abs(Date.parse(at) - Date.parse(anchored_at)) % everyMs).toBe(0);
  });
  await fc.assert(check, { numRuns: 40 });
});
