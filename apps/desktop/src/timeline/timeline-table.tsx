import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Status } from "../components/status.tsx";
import { useZone } from "../data/preferences.ts";
import { runKind } from "../data/run-words.ts";
import { count, formatTime } from "../data/words.ts";
import { describeRun } from "./marks.ts";
import type { TimelineRow } from "./rows.ts";

const runsMax = 20;

/** The same as the picture, in words. */
export function TimelineTable({ rows }: { readonly rows: readonly TimelineRow[] }): ReactNode {
  const zone = useZone();
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-collapse text-left">
        <caption className="sr-only">Runs and scheduled times of each task</caption>
        <thead className="text-small text-muted">
          <tr className="border-b">
            <th scope="col" className="py-1 pr-4 font-normal">
              Task
            </th>
            <th scope="col" className="py-1 pr-4 font-normal">
              Runs
            </th>
            <th scope="col" className="py-1 font-normal">
              Next
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.task_id} className="border-b align-top">
              <th scope="row" className="py-1 pr-4 font-medium">
                <Link to="/tasks/$taskId" params={{ taskId: row.task_id }}>
                  {row.name}
                </Link>
              </th>
              <td className="py-1 pr-4">
                <PastWords row={row} zone={zone} />
              </td>
              <td className="py-1 sm:whitespace-nowrap">{futureWords(row, zone)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function PastWords({ row: { past }, zone }: { readonly row: TimelineRow; readonly zone: string }): ReactNode {
  if (past.kind === "runs") {
    if (past.runs.length === 0) return <span className="text-muted">none</span>;
    const shown = past.runs.slice(-runsMax).toReversed();
    return (
      <ul>
        {shown.map((run) => (
          <li key={run.id} className="flex gap-2">
            <Link to="/runs/$runId" params={{ runId: run.id }}>
              <Status kind={runKind(run.state)}>{describeRun(run, zone)}</Status>
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
