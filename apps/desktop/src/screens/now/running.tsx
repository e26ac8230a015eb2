import type { Run } from "@belfry/client";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { ListState } from "../../components/list-state.tsx";
import { Section } from "../../components/page.tsx";
import { Rows } from "../../components/rows.tsx";
import { RunStatus } from "../../components/run-status.tsx";
import { Status } from "../../components/status.tsx";
import { useSteadyRows } from "../../components/steady-rows.ts";
import { RunLink } from "../../components/task-link.tsx";
import { useKnownNow } from "../../data/now.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { count, formatDuration } from "../../data/words.ts";
import { readUnended, type Unended } from "./unended.ts";

const shownMax = 12;
const idOf = ({ id }: Run): string => id;
const nothing: Unended = { active: { runs: [], hasMore: false }, queued: { runs: [], hasMore: false } };
const numberOf = ({ runs, hasMore }: Unended["active"]): string => `${runs.length}${hasMore ? "+" : ""}`;

/** What runs and what waits, with the elapsed time beside the usual one. */
export function Running(): ReactNode {
  const { client } = useSession();
  const read = useRead(["runs", "active"], (signal) => readUnended(client, signal), { kinds: ["run"] });
  const { active, queued } = read.data ?? nothing;
  const hasMore = active.hasMore || queued.hasMore;
  const rows = useMemo(() => (read.data === null ? null : [...active.runs, ...queued.runs]), [read.data]);
  const steady = useSteadyRows(rows, { idOf, question: "active", isCut: hasMore });
  const usual = useUsualDurations(steady.rows.slice(0, shownMax));
  const title =
    read.data === null
      ? "Running now"
      : `Running now (${numberOf(active)})${queued.runs.length === 0 ? "" : `, queued (${numberOf(queued)})`}`;
  return (
    <Section title={title}>
      <Rows
        steady={steady}
        idOf={idOf}
        empty={<ListState read={read} empty="Nothing is running." />}
        shownMax={shownMax}
        rest={(hidden) => (
          <Link to="/runs" search={{ state: "unended" }} className="link">
            and {hasMore ? `${hidden}+ more runs` : count(hidden, "more run")}
          </Link>
        )}
        taskOf={({ task_id }) => task_id}
        rowClassName="flex min-h-8 items-center gap-x-3 border-b max-sm:flex-wrap max-sm:py-1"
      >
        {(run, isGone) => (
          <>
            {isGone ? <Status kind="off">Ended</Status> : <RunStatus run={run} />}
            <RunLink id={run.id}>
              {run.group_name !== null && <span className="text-muted">{run.group_name} / </span>}
              {run.task_name}
            </RunLink>
            <ElapsedOf run={run} isGone={isGone} usualMs={usual?.get(run.task_id)} />
          </>
        )}
      </Rows>
    </Section>
  );
}

interface ElapsedOfProps {
  readonly run: Run;
  readonly isGone: boolean;
  readonly usualMs: number | undefined;
}

function ElapsedOf({ run: { state, started_at, queued_at }, isGone, usualMs }: ElapsedOfProps): ReactNode {
  const now = useKnownNow();
  const elapsed = now - Date.parse(started_at ?? queued_at);
  const isLong = !isGone && usualMs !== undefined && elapsed > 2 * usualMs;
  return (
    <span className={`whitespace-nowrap sm:ml-auto max-sm:w-full ${isLong ? "text-attention" : ""}`}>
      {/* in a narrow window this is a line, which stays */}
      {isGone ? "\u00a0" : formatDuration(Math.max(0, elapsed))}
      {usualMs !== undefined && state !== "queued" && !isGone && (
        <span className="text-muted">, usually {formatDuration(usualMs)}</span>
      )}
    </span>
  );
}

function useUsualDurations(runs: readonly Run[]): ReadonlyMap<string, number> | null {
  const { client } = useSession();
  const ids = [...new Set(runs.map(({ task_id }) => task_id))].toSorted().join();
  const read = async (): Promise<ReadonlyMap<string, number>> => {
    const { rows } = await client.timeline.get({
      task_ids: ids,
      from: new Date(Date.now() - 60_000).toISOString(),
      until: new Date().toISOString(),
    });
    return new Map(
      rows.flatMap(({ task_id, usual_duration_ms }) =>
        usual_duration_ms === null ? [] : [[task_id, usual_duration_ms] as const],
      ),
    );
  };
  return useRead(["tasks", "usual", ids], read, { kinds: [], isWanted: ids !== "", keepsFormer: true }).data;
}
