import type { Group } from "@belfry/client";
import { type ReactNode, useMemo } from "react";
import { Button } from "../../components/button.tsx";
import { classNames } from "../../components/class-names.ts";
import { DayField } from "../../components/day-field.tsx";
import { SelectField } from "../../components/fields.tsx";
import { TaskPicker } from "../../components/task-picker.tsx";
import { laterDate } from "../../data/dates.ts";
import { count, knownZones } from "../../data/words.ts";
import { groupPath } from "../tasks/group-path.ts";
import { type DayCount, spans } from "./days.ts";

export interface AgendaSearch {
  readonly from?: string;
  readonly days?: string;
  readonly zone?: string;
  readonly task?: string;
  readonly group?: string;
}

export interface FiltersProps {
  readonly search: AgendaSearch;
  /** The first day that is shown, and today. */
  readonly first: string;
  readonly today: string;
  readonly days: DayCount;
  readonly zone: string;
  readonly groups: readonly Group[];
  /** Changes members of the address; undefined takes one away. */
  readonly onChange: (change: { readonly [K in keyof AgendaSearch]: string | undefined }) => void;
}

/** From when, for how long, in which zone, and of what. */
export function Filters({ search, first, today, days, zone, groups, onChange }: FiltersProps): ReactNode {
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
  const goTo = (date: string): void => onChange({ from: date <= today ? undefined : date });
  return (
    <>
      <div className="flex items-end gap-1">
        <Button
          look="quiet"
          aria-label="Earlier"
          disabled={first <= today}
          onClick={() => goTo(laterDate(first, -days))}
        >
          ←
        </Button>
        <DayField label="From" min={today} earliest={today} value={first} onChange={goTo} />
        <Button look="quiet" aria-label="Later" onClick={() => goTo(laterDate(first, days))}>
          →
        </Button>
      </div>
      <div role="group" aria-label="Length" className="flex gap-1">
        {spans.map((span) => (
          <Button
            key={span}
            look="quiet"
            aria-pressed={span === days}
            className={classNames(span === days && "bg-hover font-medium")}
            onClick={() => onChange({ days: span === 1 ? undefined : String(span) })}
          >
            {count(span, "day")}
          </Button>
        ))}
      </div>
      <SelectField
        label="Time zone"
        value={zone}
        onChange={(event) => onChange({ zone: event.target.value })}
        className="w-40"
      >
        {[...new Set([zone, ...knownZones()])].map((name) => (
          <option key={name}>{name}</option>
        ))}
      </SelectField>
      <div className="w-40">
        <TaskPicker
          label="Task"
          empty="All tasks"
          value={search.task ?? ""}
          onChange={(id) => onChange({ task: id === "" ? undefined : id })}
        />
      </div>
      {groups.length > 0 && (
        <SelectField
          label="Group"
          value={search.group ?? ""}
          onChange={(event) => onChange({ group: event.target.value === "" ? undefined : event.target.value })}
          className="w-40"
        >
          <option value="">All groups</option>
          {options}
        </SelectField>
      )}
    </>
  );
}
