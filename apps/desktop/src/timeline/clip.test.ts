import { expect, test } from "vitest";
import { clipRow, hasFailureIn } from "./clip.ts";
import type { TimelineRow, TimelineRun } from "./rows.ts";
import { futureText } from "./table-words.ts";

const now = Date.UTC(2026, 10, 23, 12);
const minute = 60_000;
const at = (minutes: number): string => new Date(now + minutes * minute).toISOString();
const view = { from: now - 45 * minute, until: now + 15 * minute };

function run(id: string, from: number, until: number | null): TimelineRun {
  return {
    id,
    state: until === null ? "running" : "succeeded",
    outcome: null,
    scheduled_for: at(from),
    queued_at: at(from),
    started_at: at(from),
    ended_at: until === null ? null : at(until),
    coalesced: 0,
    coalesced_from: null,
  };
}

const failed = (one: TimelineRun): TimelineRun => ({ ...one, state: "failed" });

function rowOf(past: TimelineRow["past"], times: readonly number[]): TimelineRow {
  return {
    task_id: "tsk_1",
    name: "Backup",
    group_id: null,
    group_path: null,
    usual_duration_ms: null,
    past,
    future: { kind: "times", times: times.map((minutes) => ({ at: at(minutes), schedule_id: "sch_1" })) },
    unplanned: [],
  };
}

test("a row has what is in view, though more was asked for", () => {
  const runs = [run("before", -60, -50), run("into", -50, -40), run("in", -10, -9), run("still", -70, null)];
  const merging = { ...run("merging", -5, -4), coalesced: 3, coalesced_from: at(-90) };
  const clipped = clipRow(rowOf({ kind: "runs", runs: [...runs, merging] }, [1, 14, 15, 40]), view, now);
  expect(clipped.past.runs.map(({ id }) => id)).toEqual(["into", "in", "still", "merging"]);
  expect(clipped.future).toMatchObject({ times: [{ at: at(1) }, { at: at(14) }] });
});

test("counted runs are clipped too", () => {
  const bucket = (from: number) => ({ from: at(from), until: at(from + 10), count: 5, worst: "succeeded" as const });
  const row = rowOf({ kind: "buckets", runs: [], buckets: [bucket(-60), bucket(-50), bucket(-10)] }, []);
  const { past } = clipRow(row, view, now);
  expect(past.kind === "buckets" && past.buckets.map(({ from }) => from)).toEqual([at(-50), at(-10)]);
});

test("a row has a failure in view only where a failed run, or a part with one, reaches into it", () => {
  const isFailed = (...runs: TimelineRun[]) => hasFailureIn(rowOf({ kind: "runs", runs }, []), view);
  expect(isFailed(failed(run("before", -60, -50)), run("in", -10, -9))).toBe(false);
  expect(isFailed(failed(run("into", -50, -40)))).toBe(true);
  expect(isFailed(run("in", -10, -9), failed(run("later", -5, -4)))).toBe(true);
  // only the gap before it is in view
  expect(isFailed({ ...failed(run("after", 20, 21)), coalesced: 3, coalesced_from: at(-5) })).toBe(false);
  const bucket = (from: number, worst: "failed" | "succeeded") => ({
    from: at(from),
    until: at(from + 10),
    count: 5,
    worst,
  });
  const isCounted = (...buckets: ReturnType<typeof bucket>[]) =>
    hasFailureIn(rowOf({ kind: "buckets", runs: [], buckets }, []), view);
  expect(isCounted(bucket(-60, "failed"), bucket(-10, "succeeded"))).toBe(false);
  expect(isCounted(bucket(-50, "failed"), bucket(-10, "succeeded"))).toBe(true);
});

test("coming times are named one by one up to six, with the day where it changes", () => {
  const textOf = (...minutes: readonly number[]) =>
    futureText(rowOf({ kind: "runs", runs: [] }, minutes).future, "UTC")?.replace("Mon,", "Mon") ?? null;
  expect(textOf()).toBeNull();
  expect(textOf(1, 2, 14 * 60)).toBe("Mon 23 Nov 2026, 12:01:00 UTC; 12:02; Tue 24 Nov, 02:00");
  expect(textOf(1, 2, 3, 4, 5, 6, 7, 8)).toBe(
    "Mon 23 Nov 2026, 12:01:00 UTC; 12:02; 12:03; 12:04; 12:05; 12:06; and 2 more",
  );
});
