import type { FilesystemWatcherCreate } from "@belfry/client";
import { type ReactNode, useState } from "react";
import { ChangeForm } from "../../components/change-form.tsx";
import { CheckField, SelectField, TextField } from "../../components/fields.tsx";
import { TaskPicker } from "../../components/task-picker.tsx";
import { useChange } from "../../data/change.ts";
import { fieldError } from "../../data/errors.ts";
import { useSession } from "../../data/session.tsx";

const empty = { name: "", kind: "directory", path: "", pattern: "", recursive: false, taskId: "" };
const fields = ["name", "path", "pattern", "target_task_id"];

/** What a new watcher needs. The pauses keep their defaults; the command line changes them. */
export function WatcherForm({ taskId, onDone }: { readonly taskId: string; readonly onDone: () => void }): ReactNode {
  const { client } = useSession();
  const [form, setForm] = useState({ ...empty, taskId });
  const set = (change: Partial<typeof empty>): void => setForm({ ...form, ...change });
  const create = useChange(() => client.watchers.create(bodyOf(form)), onDone);
  const error = create.state.is === "failed" ? create.state.error : null;
  return (
    <ChangeForm
      change={create}
      act="Create the watcher"
      isComplete={form.name.trim() !== "" && form.path !== "" && form.taskId !== ""}
      fields={fields}
      onCancel={onDone}
    >
      <TextField
        label="Name"
        required
        value={form.name}
        onChange={(event) => set({ name: event.target.value })}
        error={fieldError(error, "name")}
      />
      <SelectField label="Watch" value={form.kind} onChange={(event) => set({ kind: event.target.value })}>
        <option value="directory">A directory</option>
        <option value="file">One file</option>
      </SelectField>
      <TextField
        label="Path"
        required
        isMono
        value={form.path}
        onChange={(event) => set({ path: event.target.value })}
        error={fieldError(error, "path")}
        hint="An absolute path on the daemon's machine. It need not exist yet."
      />
      {form.kind === "directory" && (
        <>
          <TextField
            label="File names"
            isMono
            value={form.pattern}
            placeholder="*"
            onChange={(event) => set({ pattern: event.target.value })}
            error={fieldError(error, "pattern")}
            hint="Only files whose name matches the pattern, for example *.csv or *.{jpg,png}."
          />
          <CheckField
            label="Include subdirectories"
            checked={form.recursive}
            onChange={(event) => set({ recursive: event.target.checked })}
          />
        </>
      )}
      <TaskPicker
        label="Task to start"
        value={form.taskId}
        onChange={(id) => set({ taskId: id })}
        error={fieldError(error, "target_task_id")}
      />
    </ChangeForm>
  );
}

function bodyOf({ name, kind, path, pattern, recursive, taskId }: typeof empty): FilesystemWatcherCreate {
  const common = { name: name.trim(), path, target_task_id: taskId };
  if (kind === "file") return { ...common, kind: "file" };
  return { ...common, kind: "directory", recursive, ...(pattern === "" ? {} : { pattern }) };
}
