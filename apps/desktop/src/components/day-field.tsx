import { type ReactNode, useEffect, useRef, useState } from "react";
import { TextField } from "./fields.tsx";

export interface DayFieldProps {
  readonly label: string;
  /** A day such as `2026-11-23`, or an empty text. */
  readonly value: string;
  /** The days that the calendar offers. */
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  /** Replaces an earlier day, and an empty one. */
  readonly earliest?: string;
  /** Gets a whole day, or an empty text. */
  readonly onChange: (day: string) => void;
}

const firstDay = "1970-01-01";
/** Without it, a year may have six digits. */
const lastDay = "9999-12-31";

/**
 * A day. One that is picked is taken at once. One that is typed passes through others, such as the year 0002, so it is
 * taken at Enter, or when the field is left.
 */
export function DayField({ label, value, min, max, earliest, onChange }: DayFieldProps): ReactNode {
  /** Null once the value is what stands in the field. */
  const [typed, setTyped] = useState<string | null>(null);
  const isByKey = useRef(false);
  useEffect(() => setTyped(null), [value]);
  const take = (text: string, isHalf: boolean): void => {
    isByKey.current = false;
    const day = earliest !== undefined && text < earliest ? earliest : text;
    const isPossible = !isHalf && (day === "" || (day >= firstDay && day <= lastDay));
    if (!isPossible || day === value) return setTyped(null);
    setTyped(day);
    onChange(day);
  };
  return (
    <TextField
      label={label}
      type="date"
      min={min ?? firstDay}
      max={max ?? lastDay}
      value={typed ?? value}
      onChange={({ target }) => {
        if (isByKey.current) setTyped(target.value);
        else take(target.value, target.validity.badInput);
      }}
      onKeyDown={({ key, currentTarget }) => {
        if (key === "Enter") take(currentTarget.value, currentTarget.validity.badInput);
        else if (key !== "Tab") isByKey.current = true;
      }}
      onPointerDown={() => {
        isByKey.current = false;
      }}
      onBlur={({ target }) => {
        if (typed !== null) take(target.value, target.validity.badInput);
      }}
    />
  );
}
