import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { CheckField } from "../../components/fields.tsx";
import { Page, Section } from "../../components/page.tsx";
import { ChangeProblem, NotAllowed } from "../../components/states.tsx";
import { useChange } from "../../data/change.ts";
import { useGrant } from "../../data/grant.ts";
import { useSession } from "../../data/session.tsx";
import { TimingFields } from "../task/schedule-form.tsx";
import { TimingPreview } from "../task/timing-preview.tsx";
import { emptyTiming, isComplete, type Timing, timingBody } from "../task/timing.ts";
import { TaskFields } from "./task-form.tsx";
import { createBody, emptyForm, environmentProblem, type TaskForm, taskLabels } from "./task-fields.ts";
import { useLeaveGuard } from "./leave-guard.ts";

const timingFields = ["expression", "every", "at", "time_zone"];

/** A new task, with its first schedule. */
export function NewTask(): ReactNode {
  const { client } = useSession();
  const navigate = useNavigate();
  const { may, capability } = useGrant();
  const [form, setForm] = useState<TaskForm>(emptyForm);
  const [timing, setTiming] = useState<Timing>(emptyTiming);
  const [hasSchedule, setHasSchedule] = useState(true);
  // the task exists already if only its schedule was refused
  const [madeId, setMadeId] = useState<string | null>(null);
  const guard = useLeaveGuard(form !== emptyForm || timing !== emptyTiming);
  const isTimed = hasSchedule && isComplete(timing);
  const create = useChange(
    async () => {
      const id = madeId ?? (await client.tasks.create(createBody(form))).id;
      setMadeId(id);
      if (isTimed) await client.schedules.create({ task_id: id, ...timingBody(timing) });
      return id;
    },
    (id) => guard.leave(() => void navigate({ to: "/tasks/$taskId", params: { taskId: id } })),
  );
  const error = create.state.is === "failed" ? create.state.error : null;
  if (capability !== null && !may("manage"))
    return (
      <Page title="New task">
        <NotAllowed needs="manage" what="Creating a task" />
      </Page>
    );
  return (
    <Page title="New task" above={<Link to="/tasks">Tasks</Link>}>
      <form
        className="flex max-w-2xl flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          create.run();
        }}
      >
        {madeId === null ? (
          <TaskFields form={form} onChange={setForm} error={error} stored={null} />
        ) : (
          <p>The task {form.name} was created. Its schedule was not.</p>
        )}
        <Section title="Schedule">
          <CheckField
            label="Start it by a schedule"
            checked={hasSchedule}
            onChange={(event) => setHasSchedule(event.target.checked)}
          />
          {hasSchedule && (
            <>
              <TimingFields timing={timing} onChange={setTiming} error={error} />
              <TimingPreview timing={timing} />
            </>
          )}
        </Section>
        <ChangeProblem
          change={create}
          fields={madeId === null ? [...Object.keys(taskLabels), ...timingFields] : timingFields}
        />
        <div className="flex gap-2">
          <Button
            type="submit"
            look="primary"
            isBusy={create.isPending}
            disabled={
              create.mayBeDone ||
              form.name.trim() === "" ||
              environmentProblem(form) !== null ||
              (hasSchedule && !isComplete(timing))
            }
          >
            {madeId === null ? "Create the task" : "Create the schedule"}
          </Button>
          <Button onClick={() => window.history.back()}>Cancel</Button>
        </div>
      </form>
    </Page>
  );
}
