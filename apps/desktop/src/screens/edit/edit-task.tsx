import type { Task } from "@belfry/client";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useBack } from "../../app/back.ts";
import { ChangeLines } from "../../components/changed-meanwhile.tsx";
import { DraftForm } from "../../components/draft-form.tsx";
import { Page, Section } from "../../components/page.tsx";
import { NotAllowed, Shown } from "../../components/states.tsx";
import { isKnownDone, useChange } from "../../data/change.ts";
import { useDraft } from "../../data/draft.ts";
import { useGroupNames } from "../../data/groups.ts";
import { useGrant } from "../../data/grant.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { describeChanges, describeDefinition } from "./changes.ts";
import { useLeaveGuard } from "./leave-guard.ts";
import { TaskFields } from "./task-form.tsx";
import { areLinesRight, emptyForm, formOf, patchBody, type TaskForm, taskLabels } from "./task-fields.ts";

const route = getRouteApi("/tasks/$taskId/edit");

/** Changes a task. */
export function EditTask(): ReactNode {
  const { taskId } = route.useParams();
  const { client } = useSession();
  const { may, capability } = useGrant();
  const read = useRead(["task", taskId, "edit"], (signal) => client.tasks.get(taskId, { signal }), {
    kinds: ["task"],
    // a form that began with a former state would take the person's own changes for somebody else's
    keptMs: 0,
  });
  return (
    <Page
      title={read.data === null ? "Edit a task" : `Edit ${read.data.name}`}
      above={
        <Link to="/tasks/$taskId" params={{ taskId }}>
          {read.data?.name ?? "Task"}
        </Link>
      }
    >
      {capability !== null && !may("manage") ? (
        <NotAllowed needs="manage" what="Editing a task" />
      ) : (
        <Shown read={read}>{(task) => <Form key={task.id} task={task} />}</Shown>
      )}
    </Page>
  );
}

function Form({ task }: { readonly task: Task }): ReactNode {
  const { client } = useSession();
  const navigate = useNavigate();
  const groups = useGroupNames();
  const draft = useDraft<Task, TaskForm>(task, (stored) => (stored === null ? emptyForm : formOf(stored)));
  const { form } = draft;
  const base = draft.base ?? task;
  const patch = patchBody(formOf(base), form);
  const hasChanges = Object.keys(patch).length > 0;
  const show = (): void => void navigate({ to: "/tasks/$taskId", params: { taskId: base.id }, replace: true });
  const cancel = useBack(show);
  const save = useChange(
    () => client.tasks.update(base.id, patch, { ifMatch: base.revision }),
    () => guard.leave(show),
  );
  const guard = useLeaveGuard(hasChanges && !isKnownDone(save));
  return (
    <div className="max-w-2xl">
      <DraftForm
        draft={draft}
        what="task"
        describe={(stored) => describeDefinition(stored, groups)}
        change={save}
        isComplete={hasChanges && areLinesRight(form)}
        fields={Object.keys(taskLabels)}
        onCancel={cancel}
      >
        <TaskFields
          form={form}
          onChange={draft.set}
          error={save.state.is === "failed" ? save.state.error : null}
          stored={base}
        />
        <Section title="What will change">
          {hasChanges ? (
            <ChangeLines lines={describeChanges(patch, base, groups)} />
          ) : (
            <p className="text-muted">Nothing yet.</p>
          )}
        </Section>
      </DraftForm>
    </div>
  );
}
