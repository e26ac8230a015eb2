import type { Run } from "@belfry/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { RunLink } from "../../components/task-link.tsx";
import { isNotFound } from "../../data/errors.ts";
import { type Read, useRead } from "../../data/read.ts";
import { useTask, useTrigger, useWatcher } from "../../data/resources.ts";
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

type Named = Pick<Read<{ readonly name: string }>, "data" | "error">;

interface NamedOriginProps {
  /** What it is, such as `schedule`. */
  readonly noun: string;
  readonly read: Named;
  /** A link with this text. */
  readonly link: (text: string) => ReactNode;
}

/** "The schedule Nightly", with a link at its name. What was deleted has neither a name nor a page. */
function NamedOrigin({ noun, read: { data, error }, link }: NamedOriginProps): ReactNode {
  // what was known before it was deleted is still there
  if (isNotFound(error)) return `A ${noun} that was deleted`;
  if (data === null) return link(`A ${noun}`);
  return (
    <>
      The {noun} {link(data.name)}
    </>
  );
}

function OfSchedule({ id, taskId }: { readonly id: string; readonly taskId: string }): ReactNode {
  const { client } = useSession();
  const read = useRead(["schedule", id], (signal) => client.schedules.get(id, { signal }), { kinds: ["schedule"] });
  return (
    <NamedOrigin
      noun="schedule"
      read={read}
      link={(text) => (
        <Link to="/tasks/$taskId" params={{ taskId }} search={{ part: "schedules" }} className="link">
          {text}
        </Link>
      )}
    />
  );
}

function OfTrigger({ id }: { readonly id: string }): ReactNode {
  const read = useTrigger(id);
  return (
    <NamedOrigin
      noun="trigger"
      read={read}
      link={(text) => (
        <Link to="/triggers/$triggerId" params={{ triggerId: id }} className="link">
          {text}
        </Link>
      )}
    />
  );
}

function OfWatcher({ id }: { readonly id: string }): ReactNode {
  const read = useWatcher(id);
  return (
    <NamedOrigin
      noun="watcher"
      read={read}
      link={(text) => (
        <Link to="/watchers/$watcherId" params={{ watcherId: id }} className="link">
          {text}
        </Link>
      )}
    />
  );
}

function OfChain({ run }: { readonly run: Run }): ReactNode {
  const taskId = run.source_task_id;
  const read = useTask(taskId ?? null);
  return (
    <>
      A chain, after{" "}
      <span className="link">
        <RunLink id={run.source_run_id!}>a run</RunLink>
      </span>{" "}
      of{" "}
      {taskId === undefined ? (
        "a task"
      ) : isNotFound(read.error) ? (
        "a task that was deleted"
      ) : (
        <Link to="/tasks/$taskId" params={{ taskId }} className="link">
          {read.data?.name ?? "a task"}
        </Link>
      )}
    </>
  );
}
