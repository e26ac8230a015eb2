import type { Run } from "@belfry/client";
import { Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Section } from "../../components/page.tsx";
import { runDuration } from "../../components/run-duration.tsx";
import { RunStatus } from "../../components/run-status.tsx";
import { Shown } from "../../components/states.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { formatDuration } from "../../data/words.ts";

const shownMax = 20;

/** The newest runs of the task. */
export function Runs({ taskId, usualMs }: { readonly taskId: string; readonly usualMs: number | null }): ReactNode {
  const { client } = useSession();
  const navigate = useNavigate();
  const read = useRead(
    ["runs", "of task", taskId],
    (signal) => client.runs.list({ task_id: taskId, limit: shownMax }, { signal }),
    { kinds: ["run"] },
  );
  return (
    <Section
      title="Newest runs"
      act={
        <span className="flex items-center gap-4">
          {usualMs !== null && <span className="text-muted">usually {formatDuration(usualMs)}</span>}
          <Link to="/runs" search={{ task: taskId }} className="link">
            All runs
          </Link>
        </span>
      }
    >
      <Shown read={read}>
        {({ runs }) =>
          runs.length === 0 ? (
            <p className="text-muted">This task has not run yet.</p>
          ) : (
            <Table
              label="Newest runs"
              columns={columns}
              rows={runs}
              idOf={idOf}
              onOpen={({ id }) => void navigate({ to: "/runs/$runId", params: { runId: id } })}
            />
          )
        }
      </Shown>
    </Section>
  );
}

const idOf = ({ id }: Run): string => id;

const columns: readonly Column<Run>[] = [
  { name: "State", width: "104px", cell: (run) => <RunStatus run={run} /> },
  {
    name: "Result",
    width: "1fr",
    cell: ({ reason_text: text }) => (text === null ? <span className="text-muted">–</span> : `The run ${text}.`),
  },
  {
    name: "Duration",
    width: "104px",
    isNumber: true,
    cell: runDuration,
  },
  { name: "When", width: "88px", isNumber: true, cell: ({ queued_at: at }) => <Time at={at} /> },
];
