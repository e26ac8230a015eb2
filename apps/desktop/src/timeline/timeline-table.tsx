import { Link } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { classNames } from "../components/class-names.ts";
import { Status } from "../components/status.tsx";
import { useIsNarrow } from "../components/table.tsx";
import { useWindowRows } from "../components/window-rows.ts";
import { useZone } from "../data/preferences.ts";
import { runKind } from "../data/run-words.ts";
import { count, formatTime } from "../data/words.ts";
import { clockChangesOf } from "./axis.ts";
import { clipRow, type View } from "./clip.ts";
import { type Line, linesOf } from "./lines.ts";
import { describeRun } from "./marks.ts";
import { estimateHeight } from "./row-height.ts";
import type { TimelineRow, TimelineRun } from "./rows.ts";
import { bucketsText, futureText, isNamed, runsMax } from "./table-words.ts";

export interface TimelineTableProps {
  readonly rows: readonly TimelineRow[];
  /** The row only keeps its place: its task is not in the timeline any more. */
  readonly isGone: (row: TimelineRow) => boolean;
  readonly view: View;
  readonly now: number;
}

/** The same as the picture, in words. Only the visible rows exist. */
export function TimelineTable({ rows, isGone, view, now }: TimelineTableProps): ReactNode {
  const zone = useZone();
  const lines = useMemo(() => linesOf(rows), [rows]);
  const isNarrow = useIsNarrow();
  const shown = useWindowRows({
    count: lines.length,
    height: (index) => estimateHeight(lines[index]!, { width: innerWidth, isNarrow }),
    overscan: 4,
    keyOf: (index) => keyOf(lines[index]!),
  });
  return (
    <>
      {clockChangesOf({ ...view, width: 1 }, zone).map(({ at, text }) => (
        <p key={at} className="text-attention">
          {text} on {formatTime(at, zone)}.
        </p>
      ))}
      <div role="table" aria-label="Runs and scheduled times of each task" aria-rowcount={lines.length + 1}>
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
            const line = lines[index]!;
            return (
              <div
                role="row"
                key={key}
                ref={shown.virtual.measureElement}
                aria-rowindex={index + 2}
                data-row={index}
                className={classNames(
                  tracks,
                  "absolute inset-x-0 border-b",
                  line.is === "row" && isGone(line.row) && "text-muted **:text-muted!",
                )}
                style={{ transform: `translateY(${y}px)` }}
              >
                {line.is === "heading" ? (
                  <div role="rowheader" aria-colspan={3} className="col-span-full py-1 font-medium text-muted">
                    {line.path}
                  </div>
                ) : (
                  <Cells row={clipRow(line.row, view, now)} zone={zone} />
                )}
              </div>
            );
          })}
        </div>
      </div>
    </>
  );
}

const tracks = "grid items-start gap-x-4 sm:grid-cols-[minmax(0,2fr)_minmax(0,4fr)_minmax(0,2fr)]";

function keyOf(line: Line): string {
  return line.is === "row" ? line.row.task_id : `group ${line.path}`;
}

function Cells({ row, zone }: { readonly row: TimelineRow; readonly zone: string }): ReactNode {
  const { task_id: taskId, name, past, future } = row;
  return (
    <>
      <div role="rowheader" className="min-w-0 py-1 font-medium break-words">
        <Link to="/tasks/$taskId" params={{ taskId }} data-task={taskId}>
          {name}
        </Link>
      </div>
      <div role="cell" className="min-w-0 py-1">
        <Past past={past} zone={zone} />
      </div>
      <div role="cell" className="min-w-0 py-1">
        <span className="text-muted sm:hidden">Next: </span>
        {futureText(future, zone) ?? <span className="text-muted">none</span>}
      </div>
    </>
  );
}

function Past({ past, zone }: { readonly past: TimelineRow["past"]; readonly zone: string }): ReactNode {
  if (past.kind === "runs") {
    if (past.runs.length === 0) return <span className="text-muted">none</span>;
    return <Runs runs={past.runs} zone={zone} />;
  }
  // the others are in the counts
  const named = past.runs.filter(isNamed);
  return (
    <>
      {bucketsText(past.buckets, zone)}
      {named.length > 0 && <Runs runs={named} zone={zone} />}
    </>
  );
}

function Runs({ runs, zone }: { readonly runs: readonly TimelineRun[]; readonly zone: string }): ReactNode {
  return (
    <ul>
      {runs
        .slice(-runsMax)
        .toReversed()
        .map((run) => (
          <li key={run.id} className="flex gap-2">
            <Link to="/runs/$runId" params={{ runId: run.id }}>
              <Status wraps kind={runKind(run.state)}>
                {describeRun(run, zone)}
              </Status>
            </Link>
          </li>
        ))}
      {runs.length > runsMax && <li className="text-muted">and {count(runs.length - runsMax, "earlier run")}</li>}
    </ul>
  );
}
