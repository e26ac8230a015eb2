import { expect, test } from "vitest";
import { markAt, marksOf } from "./marks.ts";
import type { TimelineRow, TimelineRun } from "./rows.ts";
import { pathsOf } from "./shapes.ts";

const now = Date.UTC(2026, 10, 23, 12);
const hour = 3_600_000;
const axis = { from: now - 12 * hour, until: now + 12 * hour, width: 2_400 };
const at = (hours: number): string => new Date(now + hours * hour).toISOString();

function run(
  id: string,
  state: TimelineRun["state"],
  times: { readonly from: number; readonly until?: number },
): TimelineRun {
  return {
    id,
    state,
    outcome: null,
    scheduled_for: at(times.from),
    queued_at: at(times.from),
    started_at: state === "queued" || state === "skipped" ? null : at(times.from),
    ended_at: times.until === undefined ? null : at(times.until),
  };
}

function rowOf(past: TimelineRow["past"], future: TimelineRow["future"] = { kind: "times", times: [] }): TimelineRow {
  return {
    task_id: "tsk_1",
    name: "Backup",
    group_id: null,
    group_path: null,
    usual_duration_ms: null,
    past,
    future,
    unplanned: [],
  };
}

const marks = (row: TimelineRow) => marksOf(row, { axis, now, zone: "UTC" });

test("a bar begins at the start and ends at the end of its run, and is never too thin to see", () => {
  const [long, short] = marks(
    rowOf({
      kind: "runs",
      runs: [run("a", "succeeded", { from: -6, until: -3 }), run("b", "failed", { from: -1, until: -1 })],
    }),
  );
  expect([long!.x, long!.width]).toEqual([600, 300]);
  expect(short!.width).toBe(2);
});

test("a run that is active reaches until now, and a skipped one has no length", () => {
  const [active, skipped] = marks(
    rowOf({ kind: "runs", runs: [run("a", "running", { from: -2 }), run("b", "skipped", { from: -5, until: -1 })] }),
  );
  expect(active!.x + active!.width).toBe(1_200);
  expect(skipped).toMatchObject({ x: 700, width: 2, kind: "skipped" });
});

test("buckets have the colour of their worst run, and lead to their part of time", () => {
  const [bucket] = marks(
    rowOf({ kind: "buckets", runs: [], buckets: [{ from: at(-2), until: at(-1), count: 60, worst: "failed" }] }),
  );
  expect(bucket).toMatchObject({ kind: "failure", what: { is: "bucket", from: now - 2 * hour, until: now - hour } });
  expect(bucket!.describe()).toMatch(/^60 runs from .*; the worst: failed$/);
});

test("the nearest mark is found within reach, and a failure wins over what it lies on", () => {
  const row = rowOf({
    kind: "runs",
    runs: [run("a", "succeeded", { from: -6, until: -3 }), run("b", "failed", { from: -4, until: -4 })],
  });
  const found = marks(row);
  expect(markAt(found, 700)?.what).toEqual({ is: "run", id: "a" });
  expect(markAt(found, 801)?.what).toEqual({ is: "run", id: "b" });
  expect(markAt(found, 590)).toBeNull();
});

test("a row of five hundred marks is a handful of paths, and each outcome has a shape of its own", () => {
  const states = ["succeeded", "failed", "running", "queued", "cancelled", "skipped"] as const;
  const runs = Array.from({ length: 500 }, (_, index) =>
    run(String(index), states[index % states.length]!, { from: -12 + index / 42, until: -12 + index / 42 + 0.01 }),
  );
  const paths = pathsOf(
    marks(rowOf({ kind: "runs", runs }, { kind: "times", times: [{ at: at(3), schedule_id: "sch_1" }] })),
  );
  expect([...paths.keys()].toSorted()).toEqual([
    "cancelled",
    "coming",
    "crosses",
    "failure",
    "running",
    "skipped",
    "success",
    "waiting",
  ]);
  expect(new Set(paths.values()).size).toBe(paths.size);
});

test("a bucket that reaches beyond now ends there, so that nothing seems to have run in the future", () => {
  const bucket = { from: at(-1), until: at(1), count: 9, worst: "succeeded" as const };
  const [mark] = marks(rowOf({ kind: "buckets", runs: [], buckets: [bucket] }));
  expect([mark!.x, mark!.x + mark!.width]).toEqual([1_100, 1_200]);
});
