import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Status } from "../components/status.tsx";
import { useWindowRows } from "../components/window-rows.ts";
import { useZone } from "../data/preferences.ts";
import { runKind } from "../data/run-words.ts";
import { count, formatTime } from "../data/words.ts";
import { describeRun } from "./marks.ts";
import type { TimelineRow } from "./rows.ts";

const runsMax = 20;

/** What a row probably needs, until it is measured. */
const rowHeight = 120;

/** The same as the picture, in words. Only the visible rows exist. */
export function TimelineTable({ rows }: { readonly rows: readonly TimelineRow[] }): ReactNode {
  const zone = useZone();
  const shown = useWindowRows({
    count: rows.length,
    height: rowHeight,
    overscan: 4,
    keyOf: (index) => rows[index]!.task_id,
  });
  return (
    <div role="table" aria-label="Runs and scheduled times of each task" aria-rowcount={rows.length + 1}>
      <div role="rowgroup">
        <div role="row" aria-rowindex={1} className={`${tracks} border-b text-small text-muted max-sm:sr-only`}>
          {["Task", "Runs", "Next"].map((name) => (
            <div role="columnheader" key={name} className="py-1">
              {name}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" ref={shown.list} className="relative" style={{ height: shown.height }}>
        {shown.rows.map(({ key, index, y }) => {
          const row = rows[index]!;
          return (
            <div
              role="row"
              key={key}
              ref={shown.virtual.measureElement}
              aria-rowindex={index + 2}
              data-row={index}
              className={`${tracks} absolute inset-x-0 border-b`}
              style={{ transform: `translateY(${y}px)` }}
            >
              <div role="rowheader" className="min-w-0 py-1 font-medium break-words">
                <Link to="/tasks/$taskId" params={{ taskId: row.task_id }}>
                  {row.name}
                </Link>
              </div>
              <div role="cell" className="min-w-0 py-1">
                <PastWords row={row} zone={zone} />
              </div>
              <div role="cell" className="min-w-0 py-1">
                <span className="text-muted sm:hidden">Next: </span>
                {futureWords(row, zone)}
              </div>
            </div>
          );
        })}
      </div>
    </div>
  );
}

const tracks = "grid items-start gap-x-4 sm:grid-cols-[minmax(0,2fr)_minmax(0,4fr)_minmax(0,2fr)]";

function PastWords({ row: { past }, zone }: { readonly row: TimelineRow; readonly zone: string }): ReactNode {
  if (past.kind === "runs") {
    if (past.runs.length === 0) return <span className="text-muted">none</span>;
    const shown = past.runs.slice(-runsMax).toReversed();
    return (
      <ul>
        {shown.map((run) => (
          <li key={run.id} className="flex gap-2">
            <Link to="/runs/$runId" params={{ runId: run.id }}>
              <Status wraps kind={runKind(run.state)}>
                {describeRun(run, zone)}
              </Status>
            </Link>
          </li>
        ))}
        {past.runs.length > runsMax && (
          <li className="text-muted">and {count(past.runs.length - runsMax, "earlier run")}</li>
        )}
      </ul>
    );
  }
  const runs = past.buckets.reduce((sum, { count: number }) => sum + number, 0);
  const failed = past.buckets.filter(({ worst }) => runKind(worst) === "failure");
  return (
    <>
      {count(runs, "run")}
      {failed.length === 0
        ? ", none failed"
        : `, with failures ${failed
            .slice(-5)
            .map(({ from }) => `after ${formatTime(Date.parse(from), zone)}`)
            .join(", ")}`}
    </>
  );
}

function futureWords({ future }: TimelineRow, zone: string): ReactNode {
  if (future.kind === "times") {
    const [first, ...rest] = future.times;
    if (first === undefined) return <span className="text-muted">none</span>;
    return `${formatTime(Date.parse(first.at), zone)}${rest.length === 0 ? "" : `, and ${rest.length} more`}`;
  }
  return count(
    future.buckets.reduce((sum, { count: number }) => sum + number, 0),
    "time",
  );
}
