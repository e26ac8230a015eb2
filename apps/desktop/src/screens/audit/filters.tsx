import type { Actor } from "@belfry/client";
import type { ReactNode } from "react";
import { useAddressText } from "../../app/address-text.ts";
import { DayField } from "../../components/day-field.tsx";
import { SelectField, TextField } from "../../components/fields.tsx";
import { results } from "./results.ts";

export interface AuditSearch {
  readonly actor?: string;
  readonly operation?: string;
  readonly outcome?: string;
  /** The first and the last day, such as `2026-11-23`, in the zone of the screens. */
  readonly from?: string;
  readonly until?: string;
}

export interface FiltersProps {
  readonly search: AuditSearch;
  readonly actors: readonly Actor[];
  /** Changes a member of the address; undefined removes it. */
  readonly onChange: (name: keyof AuditSearch, value: string | undefined, isTyped?: boolean) => void;
}

/** Who did what, with which result, and when. */
export function Filters({ search, actors, onChange }: FiltersProps): ReactNode {
  const { text, setText } = useAddressText(search.operation, (value) => onChange("operation", value, true));
  return (
    <>
      <SelectField
        label="Actor"
        value={search.actor ?? ""}
        onChange={(event) => onChange("actor", event.target.value)}
        className="w-40"
      >
        <option value="">Everybody</option>
        {actors.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Result"
        value={search.outcome ?? ""}
        onChange={(event) => onChange("outcome", event.target.value)}
      >
        <option value="">Any result</option>
        {Object.entries(results).map(([name, [, word]]) => (
          <option key={name} value={name}>
            {word}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Operation"
        type="search"
        placeholder="Such as tasks.create"
        className="sm:w-56"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <DayField
        label="From"
        max={search.until}
        value={search.from ?? ""}
        onChange={(day) => onChange("from", day, true)}
      />
      <DayField
        label="Until"
        min={search.from}
        value={search.until ?? ""}
        onChange={(day) => onChange("until", day, true)}
      />
    </>
  );
}
