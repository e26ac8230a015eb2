import type { Task } from "@belfry/client";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { ChangedMeanwhile, ChangeLines } from "../../components/changed-meanwhile.tsx";
import { Page, Section } from "../../components/page.tsx";
import { ChangeProblem, NotAllowed, Shown } from "../../components/states.tsx";
import { useChange } from "../../data/change.ts";
import { isOutdatedCode } from "../../data/errors.ts";
import { type GroupName, useGroupNames } from "../../data/groups.ts";
import { useGrant } from "../../data/grant.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { describeChanges } from "./changes.ts";
import { useLeaveGuard } from "./leave-guard.ts";
import { TaskFields } from "./task-form.tsx";
import { environmentProblem, formOf, patchBody, type TaskForm, taskLabels } from "./task-fields.ts";

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
        <Shown read={read}>{(task) => <Form task={task} />}</Shown>
      )}
    </Page>
  );
}

function Form({ task: newest }: { readonly task: Task }): ReactNode {
  const { client } = useSession();
  const navigate = useNavigate();
  // what the person began with: the newest state is another once somebody else has changed the task
  const [task, setTask] = useState(newest);
  const before = formOf(task);
  const [form, setForm] = useState<TaskForm>(before);
  const patch = patchBody(before, form);
  const groups = useGroupNames();
  const hasChanges = Object.keys(patch).length > 0;
  const guard = useLeaveGuard(hasChanges);
  const save = useChange(
    () => client.tasks.update(task.id, patch, { ifMatch: task.revision }),
    ({ id }) => guard.leave(() => void navigate({ to: "/tasks/$taskId", params: { taskId: id } })),
  );
  const error = save.state.is === "failed" ? save.state.error : null;
  const isOutdated = newest.revision !== task.revision || isOutdatedCode(error);
  return (
    <form
      className="flex max-w-2xl flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save.run();
      }}
    >
      {isOutdated && (
        <ChangedMeanwhile
          what="task"
          lines={othersChanges({ task, newest, groups })}
          onGoOn={() => {
            setForm(rebase(form, before, formOf(newest)));
            setTask(newest);
            save.reset();
          }}
        />
      )}
      <TaskFields form={form} onChange={setForm} error={error} names={task.environment_names ?? []} />
      <Section title="What will change">
        {hasChanges ? (
          <ChangeLines lines={describeChanges(patch, task, groups)} />
        ) : (
          <p className="text-muted">Nothing yet.</p>
        )}
      </Section>
      <ChangeProblem change={save} fields={Object.keys(taskLabels)} />
      <div className="flex gap-2">
        <Button
          type="submit"
          look="primary"
          isBusy={save.isPending}
          disabled={!hasChanges || isOutdated || save.mayBeDone || environmentProblem(form) !== null}
        >
          Save
        </Button>
        <Button onClick={() => window.history.back()}>Cancel</Button>
      </div>
    </form>
  );
}

interface OthersChanges {
  readonly task: Task;
  readonly newest: Task;
  readonly groups: readonly GroupName[];
}

/** What somebody else changed. Values that the form does not have, such as those of variables, cannot be compared. */
function othersChanges({ task, newest, groups }: OthersChanges): readonly string[] {
  const lines = describeChanges(patchBody(formOf(task), formOf(newest)), task, groups);
  return lines.length > 0 ? lines : ["a variable, standard input, or something else that this form does not show"];
}

/** Puts what a person changed on top of a newer state. */
function rebase(form: TaskForm, before: TaskForm, newest: TaskForm): TaskForm {
  const changed = Object.entries(form).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof TaskForm]),
  );
  return { ...newest, ...Object.fromEntries(changed) };
}
