import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useBack } from "../../app/back.ts";
import { ChangeForm } from "../../components/change-form.tsx";
import { CheckField } from "../../components/fields.tsx";
import { Page, Section } from "../../components/page.tsx";
import { NotAllowed } from "../../components/states.tsx";
import { type Change, type ChangeState, isKnownDone, useChange } from "../../data/change.ts";
import { useGrant } from "../../data/grant.ts";
import { useSession } from "../../data/session.tsx";
import { TimingFields } from "../task/schedule-form.tsx";
import { TimingPreview } from "../task/timing-preview.tsx";
import { emptyTiming, isComplete, type Timing, timingBody } from "../task/timing.ts";
import { TaskFields } from "./task-form.tsx";
import { areLinesRight, createBody, emptyForm, type TaskForm, taskLabels } from "./task-fields.ts";
import { useLeaveGuard } from "./leave-guard.ts";

const timingFields = ["expression", "every", "at", "time_zone"];
const fields = [...Object.keys(taskLabels), ...timingFields];

/** A new task, with its first schedule. */
export function NewTask(): ReactNode {
  const { may, capability } = useGrant();
  return (
    <Page title="New task" above={<Link to="/tasks">Tasks</Link>}>
      {capability !== null && !may("manage") ? <NotAllowed needs="manage" what="Creating a task" /> : <Form />}
    </Page>
  );
}

function Form(): ReactNode {
  const { client } = useSession();
  const navigate = useNavigate();
  const [form, setForm] = useState<TaskForm>(emptyForm);
  const [timing, setTiming] = useState<Timing>(emptyTiming);
  const [hasSchedule, setHasSchedule] = useState(true);
  const [madeId, setMadeId] = useState<string | null>(null);
  const back = useBack(() => void navigate({ to: "/tasks", replace: true }));
  const leaveFor = (id: string): Promise<void> =>
    guard.leave(() => navigate({ to: "/tasks/$taskId", params: { taskId: id }, replace: true }));
  const show = (id: string): void => void leaveFor(id);
  const addSchedule = useChange(
    (id: string) => client.schedules.create({ task_id: id, ...timingBody(timing) }),
    (_, id) => leaveFor(id),
  );
  const create = useChange(
    () => client.tasks.create(createBody(form)),
    ({ id }) => {
      if (!hasSchedule) return leaveFor(id);
      setMadeId(id);
      addSchedule.run(id);
      return undefined;
    },
  );
  const isDone = isKnownDone(addSchedule) || (isKnownDone(create) && madeId === null);
  const guard = useLeaveGuard((form !== emptyForm || timing !== emptyTiming) && !isDone);
  const error = [create.state, addSchedule.state].find((state) => state.is === "failed")?.error ?? null;
  const { state } = addSchedule;
  // the fields stay while the schedule is sent, and go for good when the task turns out to stand alone
  const [isMade, setIsMade] = useState(false);
  if (!isMade && (state.is === "failed" || state.is === "uncertain")) setIsMade(true);
  /** Continues with a task that was created although the answer was lost. */
  const adopt = (id: string): void => {
    if (!hasSchedule) return show(id);
    setMadeId(id);
    setIsMade(true);
  };
  const name = form.name.trim();
  return (
    <div className="max-w-2xl">
      <ChangeForm
        change={madeId === null ? create : changeOfMade(addSchedule, { id: madeId, hasSchedule, show })}
        act={!isMade ? "Create the task" : hasSchedule ? "Create the schedule" : "Show the task"}
        isComplete={name !== "" && areLinesRight(form) && (!hasSchedule || isComplete(timing))}
        fields={isMade ? timingFields : fields}
        onCancel={madeId === null ? back : () => show(madeId)}
        onMade={madeId === null ? adopt : () => show(madeId)}
      >
        {isMade ? (
          <p>
            The task {name} was created.{isKnownUndone(state) && " Its schedule was not."}
          </p>
        ) : (
          <TaskFields form={form} onChange={setForm} error={error} stored={null} />
        )}
        <Section title="Schedule">
          <CheckField
            label="Start it by a schedule"
            checked={hasSchedule}
            onChange={(event) => setHasSchedule(event.target.checked)}
          />
          {hasSchedule && (
            <>
              <TimingFields timing={timing} onChange={(change) => setTiming({ ...timing, ...change })} error={error} />
              <TimingPreview timing={timing} />
            </>
          )}
        </Section>
        {hasSchedule && madeId === null && isKnownDone(create) && (
          <p>The task {name} was created. Its schedule was not.</p>
        )}
      </ChangeForm>
    </div>
  );
}

/** The change that adds a schedule to a task that exists. Where it may have been carried out, the task shows whether it was. */
function changeOfMade(
  add: Change<readonly [id: string]>,
  {
    id,
    hasSchedule,
    show,
  }: { readonly id: string; readonly hasSchedule: boolean; readonly show: (id: string) => void },
): Change<readonly []> {
  return {
    ...add,
    run: () => (hasSchedule ? add.run(id) : show(id)),
    reset: () => (add.mayBeDone ? show(id) : add.reset()),
  };
}

function isKnownUndone(state: ChangeState): boolean {
  return state.is === "failed" || (state.is === "uncertain" && state.found === "not_committed");
}
