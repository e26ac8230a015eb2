import type { TriggerSecret } from "@belfry/client";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useBack } from "../../app/back.ts";
import { ChangeForm } from "../../components/change-form.tsx";
import { OnlyHere } from "../../components/only-here.tsx";
import { Page } from "../../components/page.tsx";
import { isKnownDone, useChange } from "../../data/change.ts";
import { useSession } from "../../data/session.tsx";
import { useLeaveGuard } from "../edit/leave-guard.ts";
import { newKey, SecretShown } from "./secret-shown.tsx";
import { TriggerFields, type TriggerValues } from "./trigger-fields.tsx";

const route = getRouteApi("/triggers/new");

export function NewTrigger(): ReactNode {
  const { client } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate();
  const back = useBack(() => void navigate({ to: "/triggers", replace: true }));
  const [begun] = useState<TriggerValues>({ name: "", taskId: search.task ?? "" });
  const [form, setForm] = useState(begun);
  const [made, setMade] = useState<TriggerSecret | null>(null);
  const create = useChange(
    () => client.triggers.create({ name: form.name.trim(), target_task_id: form.taskId }),
    setMade,
  );
  const hasChanges = form.name !== begun.name || form.taskId !== begun.taskId;
  const guard = useLeaveGuard(
    made !== null || (hasChanges && !isKnownDone(create)),
    made === null ? undefined : newKey,
  );
  const open = (triggerId: string): void =>
    guard.leave(() => void navigate({ to: "/triggers/$triggerId", params: { triggerId }, replace: true }));
  const error = create.state.is === "failed" ? create.state.error : null;
  if (made !== null)
    return (
      <Page title={made.trigger.name} above={<Link to="/triggers">Triggers</Link>}>
        <SecretShown secret={made} onClose={() => open(made.trigger.id)} />
      </Page>
    );
  return (
    <Page title="New trigger" above={<Link to="/triggers">Triggers</Link>}>
      <OnlyHere what="Creating a trigger" does="creates triggers" command="belfry trigger add NAME --task TASK">
        <ChangeForm
          change={create}
          act="Create the trigger"
          isComplete={form.name.trim() !== "" && form.taskId !== ""}
          fields={["name", "target_task_id"]}
          onCancel={back}
          onMade={open}
        >
          <TriggerFields form={form} set={(change) => setForm({ ...form, ...change })} error={error} />
        </ChangeForm>
      </OnlyHere>
    </Page>
  );
}
