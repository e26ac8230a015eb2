import type { Task } from "@belfry/client";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useId, useState } from "react";
import { useKeys } from "../../app/keys.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmChange } from "../../components/confirm-change.tsx";
import { type Act, MoreMenu } from "../../components/menu.tsx";
import { Page } from "../../components/page.tsx";
import { ChangeProblem, Shown } from "../../components/states.tsx";
import { Status } from "../../components/status.tsx";
import { useChange } from "../../data/change.ts";
import { useGrant } from "../../data/grant.ts";
import { describeReadiness, describeTask } from "../../data/readiness-words.ts";
import { useTask } from "../../data/resources.ts";
import { useSession } from "../../data/session.tsx";
import { TaskTimeline } from "../../timeline/task-timeline.tsx";
import { HoldDialog } from "../now/hold-dialog.tsx";
import { Chains } from "./chains.tsx";
import { Definition } from "./definition.tsx";
import { GoesWith, useRelated } from "./goes-with.tsx";
import { Notifications } from "./notifications.tsx";
import { usePart } from "./part.ts";
import { Runs } from "./runs.tsx";
import { Schedules } from "./schedules.tsx";
import { Starters } from "./starters.tsx";
import { Why } from "./why.tsx";

const route = getRouteApi("/tasks/$taskId");
type Asked = "run" | "delete";
type Turn = "enable" | "disable" | "archive" | "restore";

/** One task: what it did, what it is, and what starts it. */
export function TaskPage(): ReactNode {
  const { taskId } = route.useParams();
  const search = route.useSearch();
  const { client } = useSession();
  const navigate = useNavigate();
  const { may } = useGrant();
  const read = useTask(taskId);
  const task = read.data;
  const [isHolding, setIsHolding] = useState(false);
  const [asked, setAsked] = useState<Asked | null>(null);
  const act = useChange(
    async ({ kind, of }: { readonly kind: Asked; readonly of: Task }): Promise<string | null> => {
      if (kind === "run") return (await client.tasks.run(of.id)).id;
      await client.tasks.delete(of.id, { ifMatch: of.revision });
      return null;
    },
    (runId) => {
      setAsked(null);
      if (runId === null) void navigate({ to: "/tasks" });
      else void navigate({ to: "/runs/$runId", params: { runId } });
    },
  );
  const related = useRelated(taskId, asked === "delete");
  const turn = useChange((to: Turn) => client.tasks[to](taskId));
  const ask = (kind: Asked): void => {
    act.reset();
    setAsked(kind);
  };
  const edit = (): void => void navigate({ to: "/tasks/$taskId/edit", params: { taskId } });
  const isReady = task?.readiness === "ready";
  const whyNotId = useId();
  useKeys([may("operate") && isReady ? { key: "r", text: "Run the task", act: () => ask("run") } : null]);
  usePart(search.part, task !== null);
  const state = task === null ? null : describeTask(task);
  return (
    <Page
      title={task?.name ?? "Task"}
      above={task?.group_name ?? undefined}
      status={
        state !== null && (
          <Status kind={state.kind} title={state.text}>
            {state.word}
          </Status>
        )
      }
      act={
        may("operate") &&
        task !== null && (
          <Button
            look="primary"
            disabled={!isReady}
            aria-describedby={isReady ? undefined : whyNotId}
            onClick={() => ask("run")}
          >
            Run
          </Button>
        )
      }
      more={
        task !== null && (
          <MoreMenu acts={actsOf(task, { may, edit, ask, turn: turn.run, hold: () => setIsHolding(true) })} />
        )
      }
    >
      <ChangeProblem change={turn} />
      {task !== null && !isReady && (
        <p id={whyNotId} className="text-muted">
          It cannot start now. {describeReadiness(task.reason).text}
        </p>
      )}
      <TaskTimeline taskId={taskId} />
      <Shown read={read}>
        {(found) => (
          <div className="flex flex-col gap-6">
            {found.description !== null && <p className="max-w-3xl whitespace-pre-wrap">{found.description}</p>}
            <Runs taskId={found.id} usualMs={found.usual_duration_ms} />
            <Schedules task={found} />
            <Definition task={found} />
            <Chains task={found} />
            <Starters taskId={found.id} />
            <Notifications taskId={found.id} />
            <Why taskId={found.id} at={search.why} />
          </div>
        )}
      </Shown>
      {task !== null && task.group_id !== null && (
        <HoldDialog
          group={{ id: task.group_id, name: task.group_name ?? "its group" }}
          isOpen={isHolding}
          onClose={() => setIsHolding(false)}
        />
      )}
      {task !== null && (
        <ConfirmChange
          title={asked === "delete" ? `Delete ${task.name}?` : `Run ${task.name} now?`}
          act={asked === "delete" ? "Delete" : "Run"}
          isDanger={asked === "delete"}
          subject={asked === null ? null : { kind: asked, of: task }}
          change={act}
          isPossible={asked !== "delete" || related.data !== null}
          onClose={() => setAsked(null)}
          {...(asked === "delete" ? { nameToType: task.name } : {})}
        >
          {({ kind }) =>
            kind === "delete" ? <GoesWith related={related} /> : <p>Belfry starts it now, besides its schedules.</p>
          }
        </ConfirmChange>
      )}
    </Page>
  );
}

interface ActParts {
  readonly may: (needed: "operate" | "manage") => boolean;
  readonly edit: () => void;
  readonly ask: (kind: Asked) => void;
  readonly turn: (to: Turn) => void;
  readonly hold: () => void;
}

function actsOf(
  { enabled, lifecycle, group_id }: Task,
  { may, edit, ask, turn, hold }: ActParts,
): readonly (Act | null)[] {
  return [
    may("manage") ? { label: "Edit", onSelect: edit, keys: "e" } : null,
    may("operate") && lifecycle !== "archived"
      ? { label: enabled ? "Disable" : "Enable", isAtOnce: true, onSelect: () => turn(enabled ? "disable" : "enable") }
      : null,
    may("manage") && group_id !== null ? { label: "Hold its group", onSelect: hold } : null,
    may("manage")
      ? lifecycle === "archived"
        ? { label: "Restore", isAtOnce: true, onSelect: () => turn("restore") }
        : { label: "Archive", isAtOnce: true, onSelect: () => turn("archive") }
      : null,
    may("manage") ? { label: "Delete", isDanger: true, onSelect: () => ask("delete") } : null,
  ];
}
