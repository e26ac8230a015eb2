import type { ReactNode } from "react";
import { NameField } from "../../components/name-field.tsx";
import { TaskPicker } from "../../components/task-picker.tsx";
import { fieldError } from "../../data/errors.ts";

export interface TriggerValues {
  readonly name: string;
  readonly taskId: string;
}

export interface TriggerFieldsProps {
  readonly form: TriggerValues;
  readonly set: (change: Partial<TriggerValues>) => void;
  readonly error: unknown;
  /** The triggers of a set all run the task of the set. */
  readonly hasTask?: boolean;
}

/** The name of a trigger, and the task that it runs. */
export function TriggerFields({ form, set, error, hasTask = true }: TriggerFieldsProps): ReactNode {
  return (
    <>
      <NameField
        value={form.name}
        onChange={(name) => set({ name })}
        error={error}
        hint="Who or what will use the key, for example: Deploy from CI."
      />
      {hasTask && (
        <TaskPicker
          label="Task"
          value={form.taskId}
          onChange={(taskId) => set({ taskId })}
          error={fieldError(error, "target_task_id")}
        />
      )}
    </>
  );
}
