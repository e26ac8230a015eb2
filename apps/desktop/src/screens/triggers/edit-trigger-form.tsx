import type { Trigger } from "@belfry/client";
import type { ReactNode } from "react";
import { DraftForm } from "../../components/draft-form.tsx";
import { isKnownDone, useChange } from "../../data/change.ts";
import { useDraft } from "../../data/draft.ts";
import { useSession } from "../../data/session.tsx";
import { useLeaveGuard } from "../edit/leave-guard.ts";
import { TriggerFields, type TriggerValues } from "./trigger-fields.tsx";

const fields = ["name", "target_task_id"];

export interface EditTriggerFormProps {
  /** The trigger as it is now. */
  readonly trigger: Trigger;
  readonly onDone: () => void;
}

/** Renames a trigger, or gives it another task. Its key stays the same. */
export function EditTriggerForm({ trigger, onDone }: EditTriggerFormProps): ReactNode {
  const { client } = useSession();
  const draft = useDraft<Trigger, TriggerValues>(trigger, (stored) => ({
    name: stored?.name ?? "",
    taskId: stored?.target_task_id ?? "",
  }));
  const { form, changed } = draft;
  const base = draft.base ?? trigger;
  const body = {
    ...(changed.name === undefined ? {} : { name: changed.name.trim() }),
    ...(changed.taskId === undefined ? {} : { target_task_id: changed.taskId }),
  };
  const save = useChange(
    () => client.triggers.update(base.id, body, { ifMatch: base.revision }),
    () => guard.leave(onDone),
  );
  const guard = useLeaveGuard(Object.keys(changed).length > 0 && !isKnownDone(save));
  return (
    <DraftForm
      draft={draft}
      what="trigger"
      describe={({ name, target_task_name }) => ({ Name: name, Task: target_task_name })}
      change={save}
      isComplete={form.name.trim() !== "" && form.taskId !== ""}
      fields={fields}
      onCancel={onDone}
    >
      <TriggerFields
        form={form}
        set={draft.set}
        error={save.state.is === "failed" ? save.state.error : null}
        hasTask={base.set_id === undefined}
      />
      {base.set_name !== undefined && (
        <p className="text-small text-muted">
          It belongs to the set {base.set_name}, whose triggers all run {base.target_task_name}. Its key stays the same.
        </p>
      )}
    </DraftForm>
  );
}
