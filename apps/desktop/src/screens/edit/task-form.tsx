import type { Task } from "@belfry/client";
import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { SelectField, TextArea, TextField } from "../../components/fields.tsx";
import { NameField } from "../../components/name-field.tsx";
import { fieldError } from "../../data/errors.ts";
import { useGroupNames } from "../../data/groups.ts";
import { groupPath } from "../tasks/group-path.ts";
import { EnvironmentFields } from "./environment-fields.tsx";
import { argumentProblem, environmentProblem, type TaskForm } from "./task-fields.ts";

export interface TaskFieldsProps {
  readonly form: TaskForm;
  readonly onChange: (form: TaskForm) => void;
  readonly error: unknown;
  /** What the form began with. Null for a new task. */
  readonly stored: Task | null;
}

/** The members that every task needs, and the others behind headings. */
export function TaskFields(props: TaskFieldsProps): ReactNode {
  const { form, onChange, error, stored } = props;
  const groups = useGroupNames();
  // the task names its own group, also while the others are not known
  const isKnown = form.groupId === "" || groups.some(({ id }) => id === form.groupId);
  const unknownGroup = stored?.group_id === form.groupId ? stored.group_name : "A deleted group";
  const set = (change: Partial<TaskForm>): void => onChange({ ...form, ...change });
  const isOfProgram = ["command.program", "command.arguments"].some((field) => fieldError(error, field) !== null);
  return (
    <>
      <NameField value={form.name} onChange={(name) => set({ name })} error={error} />
      <SelectField
        label="Command"
        value={form.commandKind}
        onChange={(event) => set({ commandKind: event.target.value as TaskForm["commandKind"] })}
        error={form.commandKind === "exec" && !isOfProgram ? fieldError(error, "command") : null}
      >
        <option value="shell">A script for the shell</option>
        <option value="exec">A program with arguments</option>
      </SelectField>
      {form.commandKind === "shell" ? (
        <TextArea
          label="Script"
          value={form.script}
          onChange={(event) => set({ script: event.target.value })}
          error={fieldError(error, "command")}
          hint="It runs with /bin/sh. Without a script, the task is a draft."
        />
      ) : (
        <>
          <TextField
            label="Program"
            isMono
            value={form.program}
            onChange={(event) => set({ program: event.target.value })}
            error={fieldError(error, "command.program")}
          />
          <TextArea
            label="Arguments"
            value={form.argumentLines}
            onChange={(event) => set({ argumentLines: event.target.value })}
            error={argumentProblem(form) ?? fieldError(error, "command.arguments")}
            hint={'One a line; a line that begins with " is a JSON string, such as "one\\ntwo". No shell reads them.'}
          />
        </>
      )}
      <SelectField
        label="Group"
        value={form.groupId}
        onChange={(event) => set({ groupId: event.target.value })}
        error={fieldError(error, "group_id")}
      >
        <option value="">No group</option>
        {!isKnown && <option value={form.groupId}>{unknownGroup}</option>}
        {groups.map(({ id }) => (
          <option key={id} value={id}>
            {groupPath(id, groups)}
          </option>
        ))}
      </SelectField>
      <TextArea
        label="Description"
        isProse
        rows={2}
        value={form.description}
        onChange={(event) => set({ description: event.target.value })}
        error={fieldError(error, "description")}
      />
      <Where {...props} />
      <Failing {...props} />
      <Keeping {...props} />
    </>
  );
}

/** A heading that shows its fields when it is opened, or when one of them has an error. */
function Fold({
  title,
  isOpen,
  children,
}: {
  readonly title: string;
  readonly isOpen: boolean;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <details className="rounded-sm border p-3" open={isOpen || undefined}>
      <summary className="font-medium">{title}</summary>
      <div className="mt-3 grid gap-3 sm:grid-cols-2">{children}</div>
    </details>
  );
}

type TextName = { [N in keyof TaskForm]: TaskForm[N] extends string ? N : never }[keyof TaskForm];

function useText({ form, onChange, error }: TaskFieldsProps) {
  return (name: TextName, field: string) => ({
    value: form[name],
    onChange: (event: { readonly target: { readonly value: string } }) =>
      onChange({ ...form, [name]: event.target.value }),
    error: fieldError(error, field),
  });
}

function Where(props: TaskFieldsProps): ReactNode {
  const text = useText(props);
  const { form, onChange, error, stored } = props;
  const isWrong = ["run_as", "working_directory", "environment", "standard_input"].some(
    (field) => fieldError(error, field) !== null,
  );
  return (
    <Fold title="User, directory and environment" isOpen={isWrong}>
      <TextField
        label="Run as"
        {...text("runAs", "run_as")}
        hint="A user of the machine; needs a daemon that runs as root."
      />
      <TextField
        label="Directory"
        isMono
        {...text("directory", "working_directory")}
        hint="Without one: the home directory."
      />
      <EnvironmentFields
        form={form}
        onChange={onChange}
        names={stored?.environment_names ?? []}
        error={environmentProblem(form) ?? fieldError(error, "environment")}
      />
      <div className="flex flex-col items-start gap-2">
        <TextArea
          label="Standard input"
          className="w-full"
          value={form.standardInput ?? ""}
          onChange={(event) => onChange({ ...form, standardInput: event.target.value })}
          error={fieldError(error, "standard_input")}
          hint={inputHints[form.standardInput === null ? "kept" : form.standardInput === "" ? "removed" : "replaced"]}
        />
        {form.standardInput !== null && (
          <Button onClick={() => onChange({ ...form, standardInput: null })}>Leave standard input as it is</Button>
        )}
      </div>
    </Fold>
  );
}

const inputHints = {
  kept: "The current standard input is never shown. Text typed here replaces it.",
  removed: "The task will have no standard input.",
  replaced: "This replaces the current standard input.",
} as const;

function Failing(props: TaskFieldsProps): ReactNode {
  const text = useText(props);
  const fields = [
    "timeout",
    "kill_grace",
    "retry.max_attempts",
    "retry.delay",
    "concurrency.limit",
    "concurrency.key",
    "concurrency.on_conflict",
    "leftovers",
    "on_lost",
    "success_exit_codes",
    "expect_success_within",
    "priority",
  ];
  return (
    <Fold title="Time, retries and limits" isOpen={fields.some((field) => fieldError(props.error, field) !== null)}>
      <TextField
        label="Timeout"
        placeholder="1h"
        {...text("timeout", "timeout")}
        hint="The longest time of an attempt."
      />
      <TextField label="Grace after a cancel" {...text("killGrace", "kill_grace")} hint="From SIGTERM to SIGKILL." />
      <TextField
        label="Attempts"
        inputMode="numeric"
        {...text("attempts", "retry.max_attempts")}
        hint="1 never retries."
      />
      <TextField label="Pause before a retry" {...text("retryDelay", "retry.delay")} />
      <TextField label="Runs at once" inputMode="numeric" {...text("limit", "concurrency.limit")} />
      <TextField
        label="Shared key"
        {...text("key", "concurrency.key")}
        hint="Tasks with the same key share the lowest limit."
      />
      <SelectField label="At the limit, a new run" {...text("onConflict", "concurrency.on_conflict")}>
        <option value="queue">waits</option>
        <option value="skip">is skipped</option>
        <option value="replace">replaces the oldest</option>
      </SelectField>
      <SelectField label="Processes that a run leaves" {...text("leftovers", "leftovers")}>
        <option value="leave">stay</option>
        <option value="kill">are ended</option>
      </SelectField>
      <SelectField label="An attempt that is lost" {...text("onLost", "on_lost")}>
        <option value="fail">fails the run</option>
        <option value="retry">is repeated</option>
      </SelectField>
      <TextField label="Exit codes of success" {...text("exitCodes", "success_exit_codes")} />
      <TextField label="A success is expected every" placeholder="25h" {...text("expected", "expect_success_within")} />
      <TextField
        label="Priority"
        inputMode="numeric"
        {...text("priority", "priority")}
        hint="Higher ones start first."
      />
    </Fold>
  );
}

function Keeping(props: TaskFieldsProps): ReactNode {
  const text = useText(props);
  const fields = ["retention.runs", "retention.age", "retention.bytes", "output.max_bytes", "labels"];
  return (
    <Fold title="History, output and labels" isOpen={fields.some((field) => fieldError(props.error, field) !== null)}>
      <TextField label="Runs to keep" inputMode="numeric" {...text("keepRuns", "retention.runs")} />
      <TextField label="Keep runs for" {...text("keepAge", "retention.age")} />
      <TextField label="Output of all runs, in bytes" inputMode="numeric" {...text("keepBytes", "retention.bytes")} />
      <TextField
        label="Output of a stream, in bytes"
        inputMode="numeric"
        {...text("outputBytes", "output.max_bytes")}
      />
      <TextArea label="Labels" {...text("labelLines", "labels")} hint="One a line, such as team: storage." />
    </Fold>
  );
}
