import { describe, expect, test } from "vitest";
import type { Json } from "../support/harness.ts";
import { openScheduling } from "../support/schedules.ts";

const days = [
  {
    title: "New York, clocks forward from 02:00 to 03:00",
    zone: "America/New_York",
    window: ["2026-03-08T05:00:00Z", "2026-03-08T10:00:00Z"],
    ran: {
      "30 2 * * *": ["07:00 gap"],
      "0 * * * *": ["06:00", "07:00", "08:00", "09:00", "10:00"],
      "0 1 * * *": ["06:00"],
    },
  },
  {
    title: "New York, clocks back from 02:00 to 01:00",
    zone: "America/New_York",
    window: ["2026-11-01T04:00:00Z", "2026-11-01T08:00:00Z"],
    ran: {
      "30 1 * * *": ["05:30 overlap_first"],
      "0 * * * *": ["05:00 overlap_first", "06:00 overlap_second", "07:00", "08:00"],
      "0 2 * * *": ["07:00"],
    },
  },
  {
    title: "Lord Howe, clocks forward from 02:00 to 02:30",
    zone: "Australia/Lord_Howe",
    window: ["2026-10-03T14:00:00Z", "2026-10-03T17:00:00Z"],
    ran: {
      "15 2 * * *": ["15:30 gap"],
      "45 2 * * *": ["15:45"],
      "*/30 * * * *": ["14:30", "15:00", "15:30", "16:00", "16:30", "17:00"],
    },
  },
  {
    title: "Lord Howe, clocks back from 02:00 to 01:30",
    zone: "Australia/Lord_Howe",
    window: ["2026-04-04T13:30:00Z", "2026-04-04T16:30:00Z"],
    ran: {
      "45 1 * * *": ["14:45 overlap_first"],
      "0 2 * * *": ["15:30"],
      "*/30 * * * *": ["14:00", "14:30 overlap_first", "15:00 overlap_second", "15:30", "16:00", "16:30"],
    },
  },
] as const;

describe.each(days)("$title", ({ zone, window: [from, until], ran }) => {
  test("each schedule runs once at each time in the preview", async () => {
    await using scheduling = await openScheduling(from);
    const runsOf = new Map<string, string>();
    for (const expression of Object.keys(ran)) {
      const task = await scheduling.addTask({ name: expression });
      const draft = { kind: "cron", expression, time_zone: zone };
      await scheduling.addSchedule(task.id, draft);
      const { occurrences } = await scheduling.send("POST", "/v1/schedules/preview", { draft, count: 20 });
      const inWindow = occurrences.filter(
        ({ instant }: { instant: string }) => Date.parse(instant) <= Date.parse(until),
      );
      const lines = inWindow.map(
        (o: { instant: string; dst_note: string | null }) =>
          `${o.instant.slice(11, 16)}${o.dst_note === null ? "" : ` ${o.dst_note}`}`,
      );
      expect(lines).toEqual(ran[expression as keyof typeof ran]);
      runsOf.set(task.id, lines.map((line: string) => line.slice(0, 5)).join());
    }
    await scheduling.clock.advance(Date.parse(until) - Date.parse(from));
    for (const [taskId, expected] of runsOf) {
      const runs = await scheduling.runs(taskId);
      expect(runs.map((run) => run.scheduled_for.slice(11, 16)).join()).toBe(expected);
      expect(runs.every((run) => run.coalesced === 0)).toBe(true);
    }
  });
});

describe("local times that the time zone skips", () => {
  const previews = [
    {
      draft: { expression: "0 */2 * * *", time_zone: "America/New_York" },
      from: "2026-03-08T05:00:00Z",
      occurrences: ["2026-03-08T04:00:00-04:00"],
      gap: { at: "2026-03-08T07:00:00.000Z", length: "1h", local_times: ["2026-03-08T02:00:00"], runs_at: null },
    },
    {
      draft: { expression: "*/20 * * * *", time_zone: "Australia/Lord_Howe" },
      from: "2026-10-03T15:10:00Z",
      occurrences: ["2026-10-04T02:40:00+11:00"],
      gap: {
        at: "2026-10-03T15:30:00.000Z",
        length: "30m",
        local_times: ["2026-10-04T02:00:00", "2026-10-04T02:20:00"],
        runs_at: null,
      },
    },
    {
      draft: { expression: "0 6,12 * * *", time_zone: "Pacific/Apia" },
      from: "2011-12-30T00:00:00Z",
      occurrences: ["2011-12-31T00:00:00+14:00 gap 1d"],
      gap: {
        at: "2011-12-30T10:00:00.000Z",
        length: "1d",
        local_times: ["2011-12-30T06:00:00", "2011-12-30T12:00:00"],
        runs_at: "2011-12-30T10:00:00.000Z",
      },
    },
    {
      draft: { expression: "30 2 * * *", time_zone: "America/New_York", dst: { gap: "skip" } },
      from: "2026-03-07T08:00:00Z",
      occurrences: ["2026-03-09T02:30:00-04:00"],
      gap: { at: "2026-03-08T07:00:00.000Z", length: "1h", local_times: ["2026-03-08T02:30:00"], runs_at: null },
    },
  ];
  test.each(previews)(
    "$draft.expression in $draft.time_zone: the preview lists them, with the length of each gap",
    async (row) => {
      await using scheduling = await openScheduling("2011-01-01T00:00:00Z");
      const body = { draft: { kind: "cron", ...row.draft }, from: row.from, count: 1 };
      const { occurrences, dst_gaps } = await scheduling.send("POST", "/v1/schedules/preview", body);
      const lines = occurrences.map(({ local, dst_note, dst_shift }: Json) =>
        dst_note === null ? local : `${local} ${dst_note} ${dst_shift}`,
      );
      expect(lines).toEqual(row.occurrences);
      expect(dst_gaps).toEqual([{ ...row.gap, local_times_count: row.gap.local_times.length }]);
    },
  );

  test("are listed until the last occurrence, or until the end of the schedule if that is earlier", async () => {
    await using scheduling = await openScheduling("2026-03-01T00:00:00Z");
    const draft = { kind: "cron", expression: "30 2 * * *", time_zone: "America/New_York", dst: { gap: "skip" } };
    const gapsOf = async (count: number, ends_at: string | null): Promise<number> => {
      const body = { draft: { ...draft, ends_at }, from: "2026-03-06T12:00:00Z", count };
      return (await scheduling.send("POST", "/v1/schedules/preview", body)).dst_gaps.length;
    };
    expect(await gapsOf(1, null)).toBe(0);
    expect(await gapsOf(2, null)).toBe(1);
    expect(await gapsOf(2, "2026-03-08T12:00:00Z")).toBe(1);
    expect(await gapsOf(2, "2026-03-08T06:00:00Z")).toBe(0);
  });

  test("are in the agenda for every schedule that can run", async () => {
    await using scheduling = await openScheduling("2026-03-08T05:30:00Z");
    const task = await scheduling.addTask();
    const draftTask = await scheduling.addTask({ name: "draft", command: null });
    const zone = { kind: "cron", time_zone: "America/New_York" };
    const skip = { ...zone, dst: { gap: "skip" } };
    await scheduling.addSchedule(task.id, { ...skip, expression: "30 2 * * *", name: "next tomorrow" });
    await scheduling.addSchedule(task.id, { ...skip, expression: "45 2 8 3 *", name: "next in years" });
    await scheduling.addSchedule(task.id, { ...zone, expression: "15 * * * *", name: "hourly" });
    await scheduling.addSchedule(task.id, { ...zone, expression: "30 2 * * *", name: "runs after" });
    await scheduling.addSchedule(task.id, { ...skip, expression: "30 2 * * *", name: "off", enabled: false });
    await scheduling.addSchedule(draftTask.id, { ...skip, expression: "30 2 * * *", name: "cannot start" });
    const agenda = await scheduling.get("/v1/agenda?until=2026-03-08T12:00:00Z");
    const gaps = agenda.dst_gaps.map((gap: Json) => [gap.schedule_name, ...gap.local_times, gap.runs_at]);
    expect(gaps.toSorted()).toEqual([
      ["hourly", "2026-03-08T02:15:00", null],
      ["next in years", "2026-03-08T02:45:00", null],
      ["next tomorrow", "2026-03-08T02:30:00", null],
      ["runs after", "2026-03-08T02:30:00", "2026-03-08T07:00:00.000Z"],
    ]);
    expect(agenda.dst_gaps[0]).toMatchObject({ task_name: "work", time_zone: "America/New_York", length: "1h" });
    const moved = agenda.entries.filter((entry: Json) => entry.dst_note !== null);
    expect(moved).toMatchObject([
      { schedule_name: "runs after", at: "2026-03-08T07:00:00.000Z", dst_note: "gap", dst_shift: "1h" },
    ]);
    expect((await scheduling.get("/v1/agenda?limit=1")).dst_gaps).toEqual([]);
    expect((await scheduling.get("/v1/agenda?from=2026-03-08T07:00:01Z")).dst_gaps).toEqual([]);
  });
});

test("the preview of a boot schedule shows its kind and no scheduled times", async () => {
  await using scheduling = await openScheduling("2026-03-01T00:00:00Z");
  const preview = (draft: object) => scheduling.send("POST", "/v1/schedules/preview", { draft });
  expect(await preview({ kind: "boot" })).toMatchObject({ kind: "boot", occurrences: [], dst_gaps: [] });
  expect(await preview({ kind: "interval", every: "1h" })).toMatchObject({ kind: "interval" });
});
