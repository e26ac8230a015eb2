import type { Run } from "@belfry/client";
import type { ReactNode } from "react";
import { Facts } from "../../components/page.tsx";
import { Elapsed, FullTime } from "../../components/time.tsx";
import { hasEnded } from "../../data/run-words.ts";
import { count, formatBytes, formatDuration } from "../../data/words.ts";
import { RunOrigin } from "./run-origin.tsx";

/** What is known of a run. */
export function RunFacts({ run, usualMs }: { readonly run: Run; readonly usualMs: number | null }): ReactNode {
  const hasStarted = run.started_at !== null;
  return (
    <div className="grid items-start gap-x-8 gap-y-1.5 lg:grid-cols-2">
      <Facts
        facts={[
          { name: "Started by", value: <RunOrigin run={run} /> },
          { name: "Scheduled for", value: <FullTime at={run.scheduled_for} /> },
          run.coalesced === 0 ? null : { name: "Merged", value: <Coalesced run={run} /> },
          run.queued_at === run.scheduled_for ? null : { name: "Queued", value: <FullTime at={run.queued_at} /> },
          hasStarted ? { name: "Started", value: <FullTime at={run.started_at} /> } : null,
          hasEnded(run.state) ? { name: "Ended", value: <FullTime at={run.ended_at} /> } : null,
          hasStarted ? { name: "Duration", value: <Duration run={run} usualMs={usualMs} /> } : null,
        ]}
      />
      <Facts
        facts={[
          run.exit_code === null ? null : { name: "Exit code", value: run.exit_code },
          run.signal === null ? null : { name: "Signal", value: run.signal },
          run.attempts_max === 1 && run.attempt < 2
            ? null
            : { name: "Attempt", value: `${run.attempt} of ${Math.max(run.attempt, run.attempts_max)}` },
          run.host === null || run.host === undefined ? null : { name: "Host", value: run.host },
          run.pid === null || run.pid === undefined ? null : { name: "Process", value: run.pid },
          hasEnded(run.state) && hasStarted ? { name: "Output", value: outputOf(run) } : null,
          { name: "Run", value: <code className="select-all">{run.id}</code> },
        ]}
      />
    </div>
  );
}

function Duration({ run, usualMs }: { readonly run: Run; readonly usualMs: number | null }): ReactNode {
  return (
    <>
      {run.duration_ms === null ? <Elapsed since={run.started_at!} /> : formatDuration(run.duration_ms)}
      {usualMs !== null && <span className="text-muted">, usually {formatDuration(usualMs)}</span>}
    </>
  );
}

function Coalesced({ run }: { readonly run: Run }): ReactNode {
  return (
    <>
      {count(run.coalesced, "other scheduled time")}
      {run.coalesced_from !== null && (
        <>
          , the first at <FullTime at={run.coalesced_from} />
        </>
      )}
    </>
  );
}

function outputOf({ output }: Run): string {
  const cut = output.stdout_cut + output.stderr_cut;
  const sizes = `stdout ${formatBytes(output.stdout_bytes)}, stderr ${formatBytes(output.stderr_bytes)}`;
  return cut === 0 ? sizes : `${sizes}; ${formatBytes(cut)} were not kept`;
}
