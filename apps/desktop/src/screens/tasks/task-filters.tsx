import type { Group } from "@belfry/client";
import { type ReactNode, useMemo } from "react";
import { SelectField, TextField } from "../../components/fields.tsx";
import { groupPath } from "./group-path.ts";

export interface TaskFiltersProps {
  readonly text: string;
  readonly group: string | undefined;
  readonly state: string | undefined;
  readonly groups: readonly Group[];
  readonly onText: (text: string) => void;
  readonly onFilter: (member: "group" | "state", value: string) => void;
}

export function TaskFilters({ text, group, state, groups, onText, onFilter }: TaskFiltersProps): ReactNode {
  // hundreds of paths take milliseconds
  const options = useMemo(
    () =>
      groups.map(({ id }) => (
        <option key={id} value={id}>
          {groupPath(id, groups)}
        </option>
      )),
    [groups],
  );
  return (
    <>
      <TextField
        label="Search tasks"
        isLabelHidden
        type="search"
        placeholder="Name of a task"
        value={text}
        onChange={(event) => onText(event.target.value)}
      />
      <SelectField
        label="Group"
        isLabelHidden
        value={group ?? ""}
        onChange={(event) => onFilter("group", event.target.value)}
      >
        <option value="">All groups</option>
        {options}
      </SelectField>
      <SelectField
        label="State"
        isLabelHidden
        value={state ?? ""}
        onChange={(event) => onFilter("state", event.target.value)}
      >
        <option value="">Any state</option>
        <option value="overdue">Overdue</option>
        <option value="disabled">Disabled</option>
      </SelectField>
    </>
  );
}
