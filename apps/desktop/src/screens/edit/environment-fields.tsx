import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { TextArea } from "../../components/fields.tsx";
import type { TaskForm } from "./task-fields.ts";

export interface EnvironmentFieldsProps {
  readonly form: TaskForm;
  readonly onChange: (form: TaskForm) => void;
  readonly names: readonly string[];
  readonly error: string | null;
}

/** Variables by their names: their values are written, and never read. */
export function EnvironmentFields({ form, onChange, names, error }: EnvironmentFieldsProps): ReactNode {
  const toggle = (name: string): void => {
    const removed = form.removedNames.includes(name)
      ? form.removedNames.filter((other) => other !== name)
      : [...form.removedNames, name];
    onChange({ ...form, removedNames: removed });
  };
  return (
    <div className="flex flex-col gap-2">
      {names.length > 0 && (
        <ul aria-label="Variables">
          {names.map((name) => (
            <li key={name} className="flex h-8 items-center gap-2">
              <code className={form.removedNames.includes(name) ? "line-through" : ""}>{name}</code>
              <Button look="quiet" className="ml-auto" onClick={() => toggle(name)}>
                {form.removedNames.includes(name) ? "Keep" : "Remove"}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <TextArea
        label="Add or replace variables"
        value={form.environmentLines}
        onChange={(event) => onChange({ ...form, environmentLines: event.target.value })}
        error={error}
        hint="NAME=value, one a line. Values are kept encrypted, and are not shown again."
      />
    </div>
  );
}
