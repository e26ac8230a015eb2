import type { FilesystemWatcher } from "@belfry/client";
import type { ReactNode } from "react";
import { DraftForm } from "../../components/draft-form.tsx";
import { CheckField, SelectField, TextField } from "../../components/fields.tsx";
import { NameField } from "../../components/name-field.tsx";
import { TaskPicker } from "../../components/task-picker.tsx";
import { isKnownDone, useChange } from "../../data/change.ts";
import { useDraft } from "../../data/draft.ts";
import { fieldError } from "../../data/errors.ts";
import { useSession } from "../../data/session.tsx";
import { useLeaveGuard } from "../edit/leave-guard.ts";
import { createBody, describeDefinition, patchBody, valuesOf, type WatcherValues } from "./watcher-values.ts";

const empty: WatcherValues = { name: "", kind: "directory", path: "", pattern: "", recursive: false, taskId: "" };
const fields = ["name", "path", "pattern", "target_task_id"];

export interface WatcherFormProps {
  /** The watcher to edit, as it is now. Null for a new one. */
  readonly watcher: FilesystemWatcher | null;
  /** The task that a new watcher starts, if it is known. */
  readonly taskId?: string;
  readonly onDone: (saved: Pick<FilesystemWatcher, "id">) => void | Promise<void>;
  readonly onCancel: () => void;
}

/** A new watcher, or a change of one. The pauses keep their values; the command line changes them. */
export function WatcherForm({ watcher, taskId = "", onDone, onCancel }: WatcherFormProps): ReactNode {
  const { client } = useSession();
  const draft = useDraft(watcher, (stored) => (stored === null ? { ...empty, taskId } : valuesOf(stored)));
  const { base, form, set } = draft;
  const save = useChange(
    () =>
      base === null
        ? client.watchers.create(createBody(form))
        : client.watchers.update(base.id, patchBody(draft), { ifMatch: base.revision }),
    (saved) => guard.leave(() => onDone(saved)),
  );
  const guard = useLeaveGuard(Object.keys(draft.changed).length > 0 && !isKnownDone(save));
  const error = save.state.is === "failed" ? save.state.error : null;
  return (
    <DraftForm
      draft={draft}
      what="watcher"
      describe={describeDefinition}
      change={save}
      isComplete={form.name.trim() !== "" && form.path !== "" && form.taskId !== ""}
      fields={fields}
      onCancel={onCancel}
      onMade={(id) => void onDone({ id })}
    >
      <NameField value={form.name} onChange={(name) => set({ name })} error={error} />
      <SelectField
        label="Watch"
        value={form.kind}
        onChange={(event) => set({ kind: event.target.value as WatcherValues["kind"] })}
      >
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
            hint={
              <>
                Only files whose name matches the pattern, for example *.csv or{" "}
                <span className="whitespace-nowrap">*.{"{jpg,png}"}.</span>
              </>
            }
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
    </DraftForm>
  );
}
