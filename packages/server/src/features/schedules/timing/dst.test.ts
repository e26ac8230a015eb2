import { describe, expect, it } from "vitest";
import { parseInstant } from "../../../kernel/time/time.ts";
import { compileTiming } from "./compile-timing.ts";
import type { DstPolicy } from "./dst.ts";

const policies: Readonly<Record<string, DstPolicy>> = {
  default: { gap: "run_after", overlap: "first" },
  skip: { gap: "skip", overlap: "first" },
  both: { gap: "run_after", overlap: "both" },
  "skip both": { gap: "skip", overlap: "both" },
};

/**
 * What schedules do when clocks go forward and when they go back. A row is an expression, its policy, and its
 * occurrences in the first and in the second window: day of the month, wall clock, offset and note.
 */
const tables: readonly { zone: string; windows: readonly [string, string][]; rows: string }[] = [
  {
    zone: "America/New_York",
    // On 8 March 02:00-05:00 becomes 03:00-04:00; on 1 November 02:00-04:00 becomes 01:00-05:00.
    windows: [
      ["2026-03-08T05:00:00Z", "2026-03-08T10:00:00Z"],
      ["2026-11-01T04:00:00Z", "2026-11-01T11:00:00Z"],
    ],
    rows: `
      0 2 * * *      | default   | 08 03:00-04:00 gap                                           | 01 02:00-05:00
      30 2 * * *     | default   | 08 03:00-04:00 gap                                           | 01 02:30-05:00
      30 2 * * *     | skip      | -                                                            | 01 02:30-05:00
      30 1 * * *     | default   | 08 01:30-05:00                                               | 01 01:30-04:00 first
      30 1 * * *     | both      | 08 01:30-05:00                                               | 01 01:30-04:00 first, 01 01:30-05:00 second
      0 3 * * *      | default   | 08 03:00-04:00                                               | 01 03:00-05:00
      59 1 * * *     | default   | 08 01:59-05:00                                               | 01 01:59-04:00 first
      */15 2 * * *   | default   | 08 03:00-04:00 gap                                           | 01 02:00-05:00, 01 02:15-05:00, 01 02:30-05:00, 01 02:45-05:00
      */15 2 * * *   | skip      | -                                                            | 01 02:00-05:00, 01 02:15-05:00, 01 02:30-05:00, 01 02:45-05:00
      */30 1-2 * * * | default   | 08 01:00-05:00, 08 01:30-05:00, 08 03:00-04:00 gap           | 01 01:00-04:00 first, 01 01:30-04:00 first, 01 02:00-05:00, 01 02:30-05:00
      */30 1-2 * * * | skip both | 08 01:00-05:00, 08 01:30-05:00                               | 01 01:00-04:00 first, 01 01:30-04:00 first, 01 01:00-05:00 second, 01 01:30-05:00 second, 01 02:00-05:00, 01 02:30-05:00
      0 0-4 * * *    | default   | 08 00:00-05:00, 08 01:00-05:00, 08 03:00-04:00 gap, 08 04:00-04:00 | 01 00:00-04:00, 01 01:00-04:00 first, 01 02:00-05:00, 01 03:00-05:00, 01 04:00-05:00
      0 2,3 * * *    | skip      | 08 03:00-04:00                                               | 01 02:00-05:00, 01 03:00-05:00
      30 2 8 3 *     | default   | 08 03:00-04:00 gap                                           | -
      30 2 * * 0     | default   | 08 03:00-04:00 gap                                           | 01 02:30-05:00
      30 2 * * 1     | default   | -                                                            | -
      @daily         | default   | 08 00:00-05:00                                               | 01 00:00-04:00
      30 */2 * * *   | default   | 08 00:30-05:00, 08 04:30-04:00                               | 01 00:30-04:00, 01 02:30-05:00, 01 04:30-05:00
      30 */2 * * *   | skip both | 08 00:30-05:00, 08 04:30-04:00                               | 01 00:30-04:00, 01 02:30-05:00, 01 04:30-05:00
      0 * * * *      | default   | 08 00:00-05:00, 08 01:00-05:00, 08 03:00-04:00, 08 04:00-04:00, 08 05:00-04:00 | 01 00:00-04:00, 01 01:00-04:00 first, 01 01:00-05:00 second, 01 02:00-05:00, 01 03:00-05:00, 01 04:00-05:00, 01 05:00-05:00
      0 ? * * *      | default   | 08 00:00-05:00, 08 01:00-05:00, 08 03:00-04:00, 08 04:00-04:00, 08 05:00-04:00 | 01 00:00-04:00, 01 01:00-04:00 first, 01 01:00-05:00 second, 01 02:00-05:00, 01 03:00-05:00, 01 04:00-05:00, 01 05:00-05:00
      30 30 1 * * *  | default   | 08 01:30-05:00                                               | 01 01:30-04:00 first
      0 30 1,2 * * * | both      | 08 01:30-05:00, 08 03:00-04:00 gap                           | 01 01:30-04:00 first, 01 01:30-05:00 second, 01 02:30-05:00
      30 2 8W 3 *    | default   | -                                                            | -
    `,
  },
  {
    zone: "America/Havana",
    // On 8 March 00:00-05:00 becomes 01:00-04:00: the day begins at one. On 1 November 01:00-04:00 becomes 00:00-05:00.
    windows: [
      ["2026-03-08T03:00:00Z", "2026-03-08T10:00:00Z"],
      ["2026-11-01T02:00:00Z", "2026-11-01T11:00:00Z"],
    ],
    rows: `
      @daily         | default   | 08 01:00-04:00 gap                 | 01 00:00-04:00 first
      @daily         | skip      | -                                  | 01 00:00-04:00 first
      @daily         | both      | 08 01:00-04:00 gap                 | 01 00:00-04:00 first, 01 00:00-05:00 second
      30 0 * * *     | default   | 08 01:00-04:00 gap                 | 01 00:30-04:00 first
      30 0 * * *     | skip      | -                                  | 01 00:30-04:00 first
      30 0 * * *     | skip both | -                                  | 01 00:30-04:00 first, 01 00:30-05:00 second
      0 1 * * *      | default   | 08 01:00-04:00                     | 01 01:00-05:00
      0 1 * * *      | skip both | 08 01:00-04:00                     | 01 01:00-05:00
      0 0,1 * * *    | default   | 08 01:00-04:00 gap                 | 01 00:00-04:00 first, 01 01:00-05:00
      */20 0 * * *   | default   | 08 01:00-04:00 gap                 | 01 00:00-04:00 first, 01 00:20-04:00 first, 01 00:40-04:00 first
      */30 0 * * *   | both      | 08 01:00-04:00 gap                 | 01 00:00-04:00 first, 01 00:30-04:00 first, 01 00:00-05:00 second, 01 00:30-05:00 second
      */30 0-1 * * * | default   | 08 01:00-04:00 gap, 08 01:30-04:00 | 01 00:00-04:00 first, 01 00:30-04:00 first, 01 01:00-05:00, 01 01:30-05:00
      0 0 8 3 *      | default   | 08 01:00-04:00 gap                 | -
      0 0 1 11 *     | default   | -                                  | 01 00:00-04:00 first
      0 0 * * 0      | default   | 08 01:00-04:00 gap                 | 01 00:00-04:00 first
      0 0 * * 6      | default   | -                                  | -
      59 23 * * *    | default   | 07 23:59-05:00                     | 31 23:59-04:00
      @monthly       | default   | -                                  | 01 00:00-04:00 first
      @monthly       | both      | -                                  | 01 00:00-04:00 first, 01 00:00-05:00 second
      0 */8 * * *    | default   | -                                  | 01 00:00-04:00 first, 01 00:00-05:00 second
      30 */6 * * *   | default   | -                                  | 01 00:30-04:00 first, 01 00:30-05:00 second
      0,1 0 * * *    | default   | 08 01:00-04:00 gap                 | 01 00:00-04:00 first, 01 00:01-04:00 first
    `,
  },
  {
    zone: "Australia/Lord_Howe",
    // Half an hour: on 4 October 02:00+10:30 becomes 02:30+11:00; on 5 April 02:00+11:00 becomes 01:30+10:30.
    windows: [
      ["2026-10-03T13:30:00Z", "2026-10-03T19:00:00Z"],
      ["2026-04-04T13:00:00Z", "2026-04-04T19:30:00Z"],
    ],
    rows: `
      0 2 * * *       | default | 04 02:30+11:00 gap                                           | 05 02:00+10:30
      15 2 * * *      | default | 04 02:30+11:00 gap                                           | 05 02:15+10:30
      15 2 * * *      | skip    | -                                                            | 05 02:15+10:30
      30 2 * * *      | default | 04 02:30+11:00                                               | 05 02:30+10:30
      29 2 * * *      | default | 04 02:30+11:00 gap                                           | 05 02:29+10:30
      45 1 * * *      | default | 04 01:45+10:30                                               | 05 01:45+11:00 first
      45 1 * * *      | both    | 04 01:45+10:30                                               | 05 01:45+11:00 first, 05 01:45+10:30 second
      30 1 * * *      | default | 04 01:30+10:30                                               | 05 01:30+11:00 first
      30 1 * * *      | both    | 04 01:30+10:30                                               | 05 01:30+11:00 first, 05 01:30+10:30 second
      29 1 * * *      | both    | 04 01:29+10:30                                               | 05 01:29+11:00
      */15 2 * * *    | default | 04 02:30+11:00 gap, 04 02:45+11:00                           | 05 02:00+10:30, 05 02:15+10:30, 05 02:30+10:30, 05 02:45+10:30
      */15 2 * * *    | skip    | 04 02:30+11:00, 04 02:45+11:00                               | 05 02:00+10:30, 05 02:15+10:30, 05 02:30+10:30, 05 02:45+10:30
      */15 1 * * *    | both    | 04 01:00+10:30, 04 01:15+10:30, 04 01:30+10:30, 04 01:45+10:30 | 05 01:00+11:00, 05 01:15+11:00, 05 01:30+11:00 first, 05 01:45+11:00 first, 05 01:30+10:30 second, 05 01:45+10:30 second
      0,30 2 * * *    | default | 04 02:30+11:00 gap                                           | 05 02:00+10:30, 05 02:30+10:30
      0 2,3 * * *     | default | 04 02:30+11:00 gap, 04 03:00+11:00                           | 05 02:00+10:30, 05 03:00+10:30
      */30 2-2 * * *  | skip    | 04 02:30+11:00                                               | 05 02:00+10:30, 05 02:30+10:30
      15 2 4 10 *     | default | 04 02:30+11:00 gap                                           | -
      15 2 * * 0      | default | 04 02:30+11:00 gap                                           | 05 02:15+10:30
      15 2 * * 1      | default | -                                                            | -
      0 */2 * * *     | default | 04 00:00+10:30, 04 04:00+11:00                               | 05 00:00+11:00, 05 02:00+10:30, 05 04:00+10:30
      45 * * * *      | default | 04 00:45+10:30, 04 01:45+10:30, 04 02:45+11:00, 04 03:45+11:00, 04 04:45+11:00, 04 05:45+11:00 | 05 00:45+11:00, 05 01:45+11:00 first, 05 01:45+10:30 second, 05 02:45+10:30, 05 03:45+10:30, 05 04:45+10:30, 05 05:45+10:30
      15 * * * *      | default | 04 00:15+10:30, 04 01:15+10:30, 04 03:15+11:00, 04 04:15+11:00, 04 05:15+11:00 | 05 00:15+11:00, 05 01:15+11:00, 05 02:15+10:30, 05 03:15+10:30, 05 04:15+10:30, 05 05:15+10:30
      15,45 1,2 * * * | default | 04 01:15+10:30, 04 01:45+10:30, 04 02:30+11:00 gap, 04 02:45+11:00 | 05 01:15+11:00, 05 01:45+11:00 first, 05 02:15+10:30, 05 02:45+10:30
    `,
  },
  {
    zone: "Pacific/Apia",
    // 30 December 2011 does not exist: 29 December 24:00-10:00 is 31 December 00:00+14:00. On 1 April 2012 04:00+14:00
    // becomes 03:00+13:00.
    windows: [
      ["2011-12-29T10:00:00Z", "2011-12-31T10:00:00Z"],
      ["2012-03-31T10:00:00Z", "2012-03-31T17:00:00Z"],
    ],
    rows: `
      @daily         | default   | 29 00:00-10:00, 31 00:00+14:00 gap                           | 01 00:00+14:00
      @daily         | skip      | 29 00:00-10:00, 31 00:00+14:00                               | 01 00:00+14:00
      0 12 * * *     | default   | 29 12:00-10:00, 31 00:00+14:00 gap, 31 12:00+14:00           | -
      0 12 * * *     | skip      | 29 12:00-10:00, 31 12:00+14:00                               | -
      0 6,18 * * *   | default   | 29 06:00-10:00, 29 18:00-10:00, 31 00:00+14:00 gap, 31 06:00+14:00, 31 18:00+14:00 | -
      0 6,18 * * *   | skip both | 29 06:00-10:00, 29 18:00-10:00, 31 06:00+14:00, 31 18:00+14:00 | -
      0 0 30 12 *    | default   | 31 00:00+14:00 gap                                           | -
      0 0 30 12 *    | skip      | -                                                            | -
      0 12 * * 5     | default   | 31 00:00+14:00 gap                                           | -
      0 12 * * 5     | skip      | -                                                            | -
      0 12 * * 6     | default   | 31 12:00+14:00                                               | -
      30 3 * * *     | default   | 29 03:30-10:00, 31 00:00+14:00 gap, 31 03:30+14:00           | 01 03:30+14:00 first
      30 3 * * *     | both      | 29 03:30-10:00, 31 00:00+14:00 gap, 31 03:30+14:00           | 01 03:30+14:00 first, 01 03:30+13:00 second
      0 3 * * *      | both      | 29 03:00-10:00, 31 00:00+14:00 gap, 31 03:00+14:00           | 01 03:00+14:00 first, 01 03:00+13:00 second
      0 4 * * *      | default   | 29 04:00-10:00, 31 00:00+14:00 gap, 31 04:00+14:00           | 01 04:00+13:00
      0 2-4 * * *    | default   | 29 02:00-10:00, 29 03:00-10:00, 29 04:00-10:00, 31 00:00+14:00 gap, 31 02:00+14:00, 31 03:00+14:00, 31 04:00+14:00 | 01 02:00+14:00, 01 03:00+14:00 first, 01 04:00+13:00
      0 2-4 * * *    | skip both | 29 02:00-10:00, 29 03:00-10:00, 29 04:00-10:00, 31 02:00+14:00, 31 03:00+14:00, 31 04:00+14:00 | 01 02:00+14:00, 01 03:00+14:00 first, 01 03:00+13:00 second, 01 04:00+13:00
      0 0 30,31 12 * | default   | 31 00:00+14:00 gap                                           | -
      0 23 L * *     | default   | 31 23:00+14:00                                               | -
      0 12 * 12 *    | default   | 29 12:00-10:00, 31 00:00+14:00 gap, 31 12:00+14:00           | -
      0 */12 * * *   | default   | 29 00:00-10:00, 29 12:00-10:00, 31 00:00+14:00, 31 12:00+14:00 | 01 00:00+14:00
      0 */12 30 12 * | default   | -                                                            | -
      30 */3 1 4 *   | default   | -                                                            | 01 00:30+14:00, 01 03:30+14:00 first, 01 03:30+13:00 second
    `,
  },
];

function happenings(expression: string, zone: string, dst: DstPolicy, [from, until]: [string, string]): string {
  const timing = compileTiming({ kind: "cron", expression, zone, dst, startsAt: null, endsAt: null });
  const found = [];
  for (let at = timing.next(parseInstant(from) - 1); at !== null && at < parseInstant(until); at = timing.next(at)) {
    const { local, offset, change } = timing.describe(at);
    const [, day, time] = /^\d+-\d+-(\d+)T(\d+:\d+):\d+/.exec(local)!;
    found.push([day, time + offset, ...(change === null ? [] : [change.note.replace("overlap_", "")])].join(" "));
  }
  return found.join(", ") || "-";
}

/** An expression, the name of its policy, and its occurrences in the two windows. */
type Row = [expression: string, policy: string, forward: string, back: string];

describe.each(tables)("where clocks are moved in $zone", ({ zone, windows, rows }) => {
  const cells = rows
    .trim()
    .split("\n")
    .map((row) => row.split("|").map((cell) => cell.trim()) as Row);

  it("has a table of twenty rows or more", () => {
    expect(cells.length).toBeGreaterThanOrEqual(20);
  });

  it.each(cells)("%s (%s) happens at %s and at %s", (expression, policy, forward, back) => {
    const found = windows.map((window) => happenings(expression, zone, policies[policy]!, window));
    expect(found).toEqual([forward, back]);
  });
});
