import type { ReactNode } from "react";
import { Plot, type PlotLine } from "../../timeline/plot.tsx";
import type { TimelineRow, TimelineRun } from "../../timeline/rows.ts";

const now = Date.UTC(2026, 2, 29, 6);
const hour = 3_600_000;
const time = (hours: number): string => new Date(now + hours * hour).toISOString();

function run(state: TimelineRun["state"], from: number, until: number | null): TimelineRun {
  const ended = until === null ? null : time(until);
  return {
    id: `${state} ${from}`,
    state,
    outcome: state === "succeeded" ? "success" : state === "failed" ? "failure" : null,
    scheduled_for: time(from),
    queued_at: time(from),
    started_at: state === "queued" || state === "skipped" ? null : time(from),
    ended_at: ended,
    coalesced: 0,
    coalesced_from: null,
  };
}

/** A run into which missed times were merged. */
function merging(of: TimelineRun, missedFrom: number): TimelineRun {
  return { ...of, coalesced: 2, coalesced_from: time(missedFrom) };
}

function row(name: string, past: TimelineRow["past"], future: TimelineRow["future"]): PlotLine {
  const shown: TimelineRow = {
    task_id: name,
    name,
    group_id: null,
    group_path: null,
    usual_duration_ms: null,
    past,
    future,
    unplanned: [],
  };
  return { is: "row", id: name, row: shown, label: name };
}

const none: TimelineRow["future"] = { kind: "times", times: [] };
const lines: readonly PlotLine[] = [
  row(
    "backup",
    {
      kind: "runs",
      runs: [run("succeeded", -9, -6), run("failed", -4, -2), run("running", -1, null)],
    },
    { kind: "times", times: [{ at: time(3), schedule_id: "sch_1" }] },
  ),
  row(
    "waits",
    {
      kind: "runs",
      runs: [run("cancelled", -8, -7), run("skipped", -5, -5), run("queued", -1.5, null)],
    },
    none,
  ),
  row(
    "misses",
    {
      kind: "runs",
      runs: [merging(run("succeeded", -7, -5), -10), run("skipped", -6, -6), merging(run("skipped", -2, -2), -4)],
    },
    none,
  ),
  row(
    "fails",
    {
      kind: "runs",
      runs: Array.from({ length: 12 }, (_, index) =>
        run(index % 4 === 3 ? "succeeded" : "failed", -9 + index / 20, -9 + index / 20 + 0.04),
      ),
    },
    none,
  ),
  row(
    "check",
    {
      kind: "buckets",
      runs: [],
      buckets: Array.from({ length: 96 }, (_, index) => ({
        from: time(-12 + index / 8),
        until: time(-12 + (index + 1) / 8),
        count: 8,
        worst: index % 31 === 5 ? "failed" : "succeeded",
      })),
    },
    { kind: "buckets", buckets: [{ from: time(0), until: time(6), count: 360 }] },
  ),
];

/** Every mark that the timeline has, over a night in which clocks change. */
export function TimelineSpecimen(): ReactNode {
  return (
    <Plot lines={lines} from={now - 12 * hour} until={now + 6 * hour} now={now} onMove={() => {}} onOpen={() => {}} />
  );
}
