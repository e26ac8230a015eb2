import { expect, test } from "vitest";
import { describeRun, markAt, marksOf } from "./marks.ts";
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
  merged: { readonly count: number; readonly from: number } | null = null,
): TimelineRun {
  return {
    id,
    state,
    outcome: null,
    scheduled_for: at(times.from),
    queued_at: at(times.from),
    started_at: state === "queued" || state === "skipped" ? null : at(times.from),
    ended_at: times.until === undefined ? null : at(times.until),
    coalesced: merged?.count ?? 0,
    coalesced_from: merged === null ? null : at(merged.from),
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

test("missed times are a gap before the run that makes up for them, which says so and leads to the reason", () => {
  const merging = run("a", "succeeded", { from: -2, until: -2 }, { count: 2, from: -4 });
  const found = marks(rowOf({ kind: "runs", runs: [merging] }));
  const gap = markAt(found, 900)!;
  expect(gap).toMatchObject({ x: 800, width: 200, kind: "missed", what: { is: "missed", at: now - 4 * hour } });
  const words = "2 times were missed from 08:00 on; the run at 10:00 makes up for them";
  expect(gap.describe()).toBe(words);
  expect(describeRun(merging, "UTC")).toMatch(new RegExp(`^Succeeded after .*\\. ${words}$`));
  expect(pathsOf(found).has("missed")).toBe(true);
  const single = run("b", "succeeded", { from: -2, until: -2 }, { count: 1, from: -30 });
  expect(describeRun(single, "UTC")).toContain(
    "1 time was missed from Sun 22 Nov, 06:00 on; the run at Mon 23 Nov, 10:00 makes up for it",
  );
});

test("a gap is wide enough to see and to point at, also where runs are counted", () => {
  const merging = run("a", "succeeded", { from: -2, until: -2 }, { count: 2, from: -2.01 });
  const buckets = [{ from: at(-3), until: at(-1), count: 60, worst: "succeeded" as const }];
  const found = marks(rowOf({ kind: "buckets", runs: [merging], buckets }));
  expect(markAt(found, 996)).toMatchObject({ x: 994, width: 6, kind: "missed" });
});

test("a skipped run that stands for other skipped times has the same gap", () => {
  const skipped = run("a", "skipped", { from: -2, until: -1 }, { count: 3, from: -3 });
  const found = marks(rowOf({ kind: "runs", runs: [skipped] }));
  expect(markAt(found, 950)).toMatchObject({ x: 900, width: 100, kind: "missed" });
  expect(describeRun(skipped, "UTC")).toContain("4 times were skipped, from 09:00 to 10:00");
});

/** The lowest and the highest place of each part of a path, which is written with M, l, h, v, a and m. */
function extentOf(path: string): readonly [top: number, bottom: number] {
  const points: number[] = [];
  let y = 0;
  for (const [, command, rest] of path.matchAll(/([Mmlhvaz])([^Mmlhvaz]*)/g)) {
    const numbers = rest!
      .trim()
      .split(/[ ,]+|(?=-)/)
      .filter(Boolean)
      .map(Number);
    if (command === "M") y = numbers[1]!;
    else if (command === "m" || command === "l") y += numbers[1]!;
    else if (command === "v") y += numbers[0]!;
    // a half of a circle, whose radius comes first
    else if (command === "a") points.push(y - numbers[0]!, y + numbers[0]!);
    points.push(y);
  }
  return [Math.min(...points), Math.max(...points)];
}

test("a skipped run stands above the bar that it lies on, and can be pointed at", () => {
  const runs = [run("skipped", "skipped", { from: -4, until: -4 }), run("long", "succeeded", { from: -6, until: -3 })];
  const found = marks(rowOf({ kind: "runs", runs }));
  const paths = pathsOf(found);
  const [top, bottom] = extentOf(paths.get("skipped")!);
  expect(bottom).toBeLessThan(extentOf(paths.get("success")!)[0]);
  expect(top).toBeGreaterThanOrEqual(0);
  expect(bottom - top).toBeGreaterThanOrEqual(6);
  expect(markAt(found, 797)?.what).toEqual({ is: "run", id: "skipped" });
});

test("each failed run differs from all others in its shape, also without a cross", () => {
  const near = ["a", "b", "c"].map((id, index) => run(id, "failed", { from: -4 + index / 50, until: -4 + index / 50 }));
  const paths = pathsOf(marks(rowOf({ kind: "runs", runs: near })));
  expect(paths.get("crosses")!.match(/M/g)).toHaveLength(1);
  expect(paths.get("failure")!.match(/M/g)).toHaveLength(3);
  const other = pathsOf(
    marks(
      rowOf({
        kind: "runs",
        runs: [run("a", "succeeded", { from: -4, until: -3 }), run("b", "cancelled", { from: -2, until: -1 })],
      }),
    ),
  );
  const [, bottom] = extentOf(paths.get("failure")!);
  for (const layer of ["success", "cancelled"] as const)
    expect(bottom - extentOf(other.get(layer)!)[1]).toBeGreaterThanOrEqual(4);
});
