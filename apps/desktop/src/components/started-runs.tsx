import type { Run } from "@belfry/client";
import type { ReactNode } from "react";
import { sentence } from "../data/errors.ts";
import { useRead } from "../data/read.ts";
import { useSession } from "../data/session.tsx";
import { ListState } from "./list-state.tsx";
import { Section } from "./page.tsx";
import { Rows } from "./rows.tsx";
import { RunStatus } from "./run-status.tsx";
import { useSteadyRows } from "./steady-rows.ts";
import { RunLink } from "./task-link.tsx";
import { Time } from "./time.tsx";

/** How many runs of the task are read: the API does not filter them by what exactly started them. */
const runsRead = 100;
const shownMax = 10;
const idOf = ({ id }: Run): string => id;

export interface StartedRunsProps {
  readonly taskId: string;
  readonly trigger: Run["trigger"];
  /** The id of what started the runs. */
  readonly starterId: string;
  readonly starterOf: (run: Run) => string | undefined;
  /** What it is: a watcher, for example. */
  readonly what: string;
}

/** The newest runs that one thing started. */
export function StartedRuns({ taskId, trigger, starterId, starterOf, what }: StartedRunsProps): ReactNode {
  const { client } = useSession();
  const read = useRead(
    ["runs", "started by", starterId],
    (signal) => client.runs.list({ task_id: taskId, trigger, limit: runsRead }, { signal }),
    { kinds: ["run"] },
  );
  const all = read.data?.runs ?? [];
  const started = all.filter((run) => starterOf(run) === starterId).slice(0, shownMax);
  const steady = useSteadyRows(read.data === null ? null : started, { idOf, question: starterId, isCut: true });
  const empty =
    all.length < runsRead
      ? `The history has no run that this ${what} started.`
      : `This ${what} started none of the last ${runsRead} runs of this kind.`;
  return (
    <Section title="Last runs">
      <Rows
        steady={steady}
        idOf={idOf}
        empty={<ListState read={read} empty={empty} />}
        rowClassName="flex h-8 items-center gap-3 border-b"
      >
        {(run) => (
          <>
            <RunStatus run={run} />
            <RunLink id={run.id}>{run.reason_text === null ? "Active" : sentence(run.reason_text)}</RunLink>
            <span className="ml-auto">
              <Time at={run.queued_at} />
            </span>
          </>
        )}
      </Rows>
    </Section>
  );
}
