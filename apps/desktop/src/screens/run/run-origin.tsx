import type { Run } from "@belfry/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { RunLink, TaskLink } from "../../components/task-link.tsx";
import { isNotFound } from "../../data/errors.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";

/** What started a run, with a link to it. */
export function RunOrigin({ run }: { readonly run: Run }): ReactNode {
  if (run.source_schedule_id !== null) return <OfSchedule id={run.source_schedule_id} taskId={run.task_id} />;
  if (run.source_trigger_id !== undefined) return <OfTrigger id={run.source_trigger_id} />;
  if (run.source_watcher_id !== undefined) return <OfWatcher id={run.source_watcher_id} />;
  if (run.source_run_id !== undefined) return <OfChain run={run} />;
  return originWords[run.trigger] ?? run.trigger;
}

const originWords: Partial<Record<Run["trigger"], string>> = {
  schedule: "A schedule that was deleted",
  manual: "Somebody, by hand",
  external_trigger: "A trigger that was deleted",
  completion: "A chain",
  filesystem_watcher: "A watcher that was deleted",
};

/** The name of what started a run, or what is left to say of it. */
function nameOf(noun: string, read: { readonly data: { readonly name: string } | null; readonly error: unknown }) {
  return read.data?.name ?? (isNotFound(read.error) ? `${noun} that was deleted` : noun);
}

function OfSchedule({ id, taskId }: { readonly id: string; readonly taskId: string }): ReactNode {
  const { client } = useSession();
  const read = useRead(["schedule", id], (signal) => client.schedules.get(id, { signal }), { kinds: ["schedule"] });
  return (
    <>
      Schedule{" "}
      <Link to="/tasks/$taskId" params={{ taskId }} search={{ part: "schedules" }} className="link">
        {nameOf("a schedule", read)}
      </Link>
    </>
  );
}

function OfTrigger({ id }: { readonly id: string }): ReactNode {
  const { client } = useSession();
  const read = useRead(["trigger", id], (signal) => client.triggers.get(id, { signal }), { kinds: ["trigger"] });
  return (
    <>
      Trigger{" "}
      <Link to="/triggers/$triggerId" params={{ triggerId: id }} className="link">
        {nameOf("a trigger", read)}
      </Link>
    </>
  );
}

function OfWatcher({ id }: { readonly id: string }): ReactNode {
  const { client } = useSession();
  const read = useRead(["watcher", id], (signal) => client.watchers.get(id, { signal }), {
    kinds: ["filesystem_watcher"],
  });
  return (
    <>
      Watcher{" "}
      <Link to="/watchers/$watcherId" params={{ watcherId: id }} className="link">
        {nameOf("a watcher", read)}
      </Link>
    </>
  );
}

function OfChain({ run }: { readonly run: Run }): ReactNode {
  const { client } = useSession();
  const taskId = run.source_task_id;
  const read = useRead(["task", taskId], (signal) => client.tasks.get(taskId!, { signal }), {
    kinds: ["task"],
    isWanted: taskId !== undefined,
  });
  return (
    <>
      A chain, after{" "}
      <span className="link">
        <RunLink id={run.source_run_id!}>a run</RunLink>
      </span>{" "}
      of{" "}
      {taskId === undefined ? (
        "a task"
      ) : (
        <span className="link">
          <TaskLink id={taskId} name={nameOf("a task", read)} />
        </span>
      )}
    </>
  );
}
