import type { Timeline } from "@belfry/client";
import { expect, test } from "vitest";
import { drawTimeline } from "./timeline.ts";

const begin = Date.parse("2026-11-21T00:00:00Z");
const time = (hours: number): string => new Date(begin + hours * 3_600_000).toISOString();

test("missed times have a sign of their own before the run into which they were merged", () => {
  const run = {
    id: "run_1",
    state: "succeeded" as const,
    outcome: "success" as const,
    scheduled_for: time(8),
    queued_at: time(8),
    started_at: time(8),
    ended_at: time(9),
    coalesced: 3,
    coalesced_from: time(5),
  };
  const row = {
    task_id: "tsk_1",
    name: "Backup",
    group_id: null,
    group_path: null,
    usual_duration_ms: null,
    past: { kind: "runs" as const, runs: [run] },
    future: { kind: "times" as const, times: [] },
    unplanned: [],
  };
  const timeline: Timeline = { from: time(0), until: time(20), now: time(10), rows: [row], next_cursor: null };
  const [, line, , legend] = drawTimeline(timeline, { columns: 29, paint: (_paint, text) => text }).split("\n");
  expect(line).toBe("Backup        ???##|");
  expect(legend).toContain("? missed");
});
