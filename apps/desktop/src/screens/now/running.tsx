import type { ReactNode } from "react";
import { Section } from "../../components/page.tsx";
import { RunStatus } from "../../components/run-status.tsx";
import { RunLink } from "../../components/task-link.tsx";
import { useKnownNow } from "../../data/now.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { count, formatDuration } from "../../data/words.ts";
import { ListState } from "../../components/list-state.tsx";

const shownMax = 12;

/** What runs and what waits, with the elapsed time beside the usual one. */
export function Running(): ReactNode {
  const { client } = useSession();
  const now = useKnownNow();
  const read = useRead(["runs", "active"], (signal) => client.runs.list({ ended: false, limit: 50 }, { signal }), {
    kinds: ["run"],
  });
  const usualDurations = async (): Promise<ReadonlyMap<string, number>> => {
    const ids = [...new Set(read.data!.runs.slice(0, shownMax).map(({ task_id }) => task_id))];
    const rows = await client.timeline.get({
      task_ids: ids.join(),
      from: new Date(Date.now() - 60_000).toISOString(),
      until: new Date().toISOString(),
    });
    return new Map(
      rows.rows.flatMap(({ task_id, usual_duration_ms }) =>
        usual_duration_ms === null ? [] : [[task_id, usual_duration_ms] as const],
      ),
    );
  };
  const usual = useRead(
    [
      "tasks",
      "usual",
      read.data?.runs
        .map(({ task_id }) => task_id)
        .toSorted()
        .join(),
    ],
    usualDurations,
    {
      kinds: [],
      isWanted: read.data !== null && read.data.runs.length > 0,
      keepsFormer: true,
    },
  );
  const found = read.data?.runs ?? [];
  const queued = found.filter(({ state }) => state === "queued");
  const active = found.filter(({ state }) => state !== "queued");
  const runs = [...active, ...queued];
  const more = read.data === null || read.data.next_cursor === null ? "" : "+";
  const title =
    read.data === null
      ? "Running now"
      : `Running now (${active.length}${queued.length === 0 ? more : ""})${queued.length === 0 ? "" : `, queued (${queued.length}${more})`}`;
  return (
    <Section title={title}>
      {runs.length === 0 ? (
        <ListState read={read} empty="Nothing is running." />
      ) : (
        <ul className="flex flex-col">
          {runs.slice(0, shownMax).map((run) => {
            const { id, task_id, task_name, group_name, state, started_at, queued_at } = run;
            const elapsed = now - Date.parse(started_at ?? queued_at);
            const usually = usual.data?.get(task_id);
            return (
              <li key={id} className="flex min-h-8 items-center gap-x-3 border-b max-sm:flex-wrap max-sm:py-1">
                <RunStatus run={run} />
                <RunLink id={id}>
                  {group_name !== null && <span className="text-muted">{group_name} / </span>}
                  {task_name}
                </RunLink>
                <span
                  className={`whitespace-nowrap sm:ml-auto max-sm:w-full ${usually !== undefined && elapsed > 2 * usually ? "text-attention" : ""}`}
                >
                  {formatDuration(Math.max(0, elapsed))}
                  {usually !== undefined && state !== "queued" && (
                    <span className="text-muted">, usually {formatDuration(usually)}</span>
                  )}
                </span>
              </li>
            );
          })}
          {runs.length > shownMax && (
            <li className="py-1 text-muted">and {count(runs.length - shownMax, "more run")}</li>
          )}
        </ul>
      )}
    </Section>
  );
}
