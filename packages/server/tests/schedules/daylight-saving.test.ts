import { describe, expect, test } from "vitest";
import { openScheduling } from "./scheduling.ts";

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
  test("each schedule runs as the preview said, once an instant", async () => {
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
      const told = inWindow.map(
        (o: { instant: string; dst_note: string | null }) =>
          `${o.instant.slice(11, 16)}${o.dst_note === null ? "" : ` ${o.dst_note}`}`,
      );
      expect(told).toEqual(ran[expression as keyof typeof ran]);
      runsOf.set(task.id, told.map((line: string) => line.slice(0, 5)).join());
    }
    await scheduling.clock.advance(Date.parse(until) - Date.parse(from));
    for (const [taskId, expected] of runsOf) {
      const runs = await scheduling.runs(taskId);
      expect(runs.map((run) => run.scheduled_for.slice(11, 16)).join()).toBe(expected);
      expect(runs.every((run) => run.coalesced === 0)).toBe(true);
    }
  });
});
