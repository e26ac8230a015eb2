import type { Group } from "@belfry/client";
import { type ReactNode, useMemo } from "react";
import { SelectField, TextField } from "../../components/fields.tsx";
import { FilterChip } from "../../components/filter-chip.tsx";
import { groupPath } from "./group-path.ts";

export interface TaskSearch {
  readonly group?: string;
  readonly state?: string;
  /** `key` or `key:value`. */
  readonly label?: string;
}

export interface TaskFiltersProps {
  readonly text: string;
  readonly search: TaskSearch;
  readonly groups: readonly Group[];
  readonly onText: (text: string) => void;
  /** Changes a member of the address; undefined removes it. */
  readonly onFilter: (member: keyof TaskSearch, value: string | undefined) => void;
}

export function TaskFilters({ text, search, groups, onText, onFilter }: TaskFiltersProps): ReactNode {
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
        value={search.group ?? ""}
        onChange={(event) => onFilter("group", event.target.value)}
      >
        <option value="">All groups</option>
        {options}
      </SelectField>
      <SelectField
        label="State"
        isLabelHidden
        value={search.state ?? ""}
        onChange={(event) => onFilter("state", event.target.value)}
      >
        <option value="">Any state</option>
        <option value="overdue">Overdue</option>
        <option value="enabled">Enabled</option>
        <option value="disabled">Disabled</option>
      </SelectField>
      {search.label !== undefined && (
        <FilterChip name="Label" text={search.label} onRemove={() => onFilter("label", undefined)} />
      )}
    </>
  );
}
