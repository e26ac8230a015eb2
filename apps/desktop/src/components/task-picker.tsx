import { type ReactNode, useId, useState } from "react";
import { useLate } from "../data/late.ts";
import { useRead } from "../data/read.ts";
import { useSession } from "../data/session.tsx";
import { Problem } from "./states.tsx";
import { SelectField, TextField } from "./fields.tsx";

export interface TaskPickerProps {
  readonly label: string;
  /** The id of the chosen task, or an empty text. */
  readonly value: string;
  readonly onChange: (id: string) => void;
  readonly error?: string | null;
  /** What no task means. Default: one is still to be chosen. */
  readonly empty?: string;
}

const shownMax = 100;

/** Chooses a task. Where there are many, a part of the name finds it. */
export function TaskPicker({ label, value, onChange, error, empty = "Choose a task" }: TaskPickerProps): ReactNode {
  const { client } = useSession();
  const [text, setText] = useState("");
  const q = useLate(text.trim(), 150);
  const id = useId();
  const read = useRead(
    ["tasks", "pick", q],
    (signal) => client.tasks.list({ limit: shownMax, ...(q === "" ? {} : { q }) }, { signal }),
    { kinds: ["task", "group"], keepsFormer: true },
  );
  const chosen = useRead(["tasks", "picked", value], (signal) => client.tasks.get(value, { signal }), {
    kinds: ["task", "group"],
    isWanted: value !== "",
  });
  // the search stays once it was there: the person may be in it
  const [isLong, setIsLong] = useState(false);
  const { data, isFormer } = read;
  if (!isLong && data !== null && !isFormer && data.next_cursor !== null) setIsLong(true);
  const tasks = data?.tasks ?? [];
  const options =
    chosen.data !== null && !tasks.some((task) => task.id === chosen.data!.id) ? [chosen.data, ...tasks] : tasks;
  const isChosenKnown = value === "" || options.some((task) => task.id === value);
  const failed = [...(data === null ? [read] : []), ...(isChosenKnown ? [] : [chosen])].find(
    (each) => each.error !== null,
  );
  return (
    <div role="group" aria-labelledby={`${id}-label`} className="flex flex-col gap-1">
      <span id={`${id}-label`} className="sr-only">
        {label}
      </span>
      <SelectField label={label} value={value} onChange={(event) => onChange(event.target.value)} error={error}>
        <option value="">{empty}</option>
        {options.map((task) => (
          <option key={task.id} value={task.id}>
            {task.group_name === null ? task.name : `${task.group_name} / ${task.name}`}
          </option>
        ))}
      </SelectField>
      {failed !== undefined && <Problem error={failed.error} again={failed.again} />}
      {isLong && (
        <TextField
          label={`Find a ${label.toLowerCase()}`}
          isLabelHidden
          type="search"
          placeholder="A part of its name"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
    </div>
  );
}
