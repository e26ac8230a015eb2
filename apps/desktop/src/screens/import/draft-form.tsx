import type { Group } from "@belfry/client";
import { type DragEvent, type ReactNode, useRef, useState } from "react";
import { Button } from "../../components/button.tsx";
import { classNames } from "../../components/class-names.ts";
import { CheckField, SelectField, TextArea, TextField } from "../../components/fields.tsx";
import { formatBytes } from "../../data/words.ts";
import { groupPath } from "../tasks/group-path.ts";
import type { Draft } from "./draft.ts";

/** A larger file is no crontab. */
const bytesMax = 4 * 1_024 * 1_024;

export interface DraftFormProps {
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
  readonly groupError: string | null;
  /** The groups that can contain the new one. */
  readonly groups: readonly Group[];
}

/** Takes a crontab, and how it is meant. */
export function DraftForm({ draft, onChange, groupError, groups }: DraftFormProps): ReactNode {
  const [isOver, setOver] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const picker = useRef<HTMLInputElement>(null);
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    if (file.size > bytesMax)
      return setProblem(`${file.name} has ${formatBytes(file.size)}. A crontab has at most ${formatBytes(bytesMax)}.`);
    const text = await readText(file);
    if (text === null) return setProblem(`${file.name} is not UTF-8 text. Convert it to UTF-8.`);
    setProblem(null);
    onChange({ text, source: file.name, group: groupOf(file.name) });
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };
  return (
    <div className="flex flex-col gap-3">
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={classNames("rounded-sm outline-offset-4", isOver && "outline-2 outline-accent outline-dashed")}
      >
        <TextArea
          label="Crontab"
          rows={10}
          value={draft.text}
          onChange={(event) => onChange({ text: event.target.value })}
          placeholder={"# Nightly backup\n0 3 * * * /usr/local/bin/backup"}
          hint="Paste what crontab -l prints, or drop a file here. The file itself is not changed."
          error={problem}
        />
      </div>
      <div className="flex flex-wrap items-end gap-3">
        <input
          ref={picker}
          type="file"
          aria-label="A crontab file"
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => {
            void take(event.target.files?.[0]);
            event.target.value = "";
          }}
        />
        <Button onClick={() => picker.current?.click()}>Choose a file</Button>
        <SelectField
          label="Form of the crontab"
          value={draft.form}
          onChange={(event) => onChange({ form: event.target.value === "system" ? "system" : "user" })}
          className="w-80 max-w-full"
        >
          <option value="user">A user's own, as crontab -l prints it</option>
          <option value="system">The system's, with a user in each line</option>
        </SelectField>
        <TextField
          label="New group"
          required
          value={draft.group}
          onChange={(event) => onChange({ group: event.target.value })}
          error={groupError}
          className="w-56"
        />
        {groups.length > 0 && (
          <SelectField
            label="Inside"
            value={draft.parent}
            onChange={(event) => onChange({ parent: event.target.value })}
            className="w-56 max-w-full"
          >
            <option value="">No other group</option>
            {groups.map(({ id }) => (
              <option key={id} value={id}>
                {groupPath(id, groups)}
              </option>
            ))}
          </SelectField>
        )}
      </div>
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">What may differ from cron</legend>
        <CheckField
          label="Catch up on missed times"
          hint="A job that missed times while the daemon was down runs once. cron skips missed times."
          checked={draft.catchUp}
          onChange={(event) => onChange({ catchUp: event.target.checked })}
        />
        <CheckField
          label="Run each job once at a time"
          hint="A time at which the former run is still active is skipped. cron starts a second one."
          checked={draft.noOverlap}
          onChange={(event) => onChange({ noOverlap: event.target.checked })}
        />
        {draft.form === "system" && (
          <CheckField
            label="Run all jobs as the daemon's own user"
            hint="Otherwise each job runs as its user, which only a daemon of root may do."
            checked={draft.runAsMe}
            onChange={(event) => onChange({ runAsMe: event.target.checked })}
          />
        )}
      </fieldset>
    </div>
  );
}

/** The name of a group from that of a file. */
function groupOf(fileName: string): string {
  return fileName.replace(/\.(?:txt|cron|crontab)$/i, "").trim() || "crontab";
}

/** Null for other encodings: their characters would become others in the commands. */
async function readText(file: File): Promise<string | null> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return null;
  }
}
