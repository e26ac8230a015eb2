import type { ReactNode } from "react";
import { fieldError } from "../data/errors.ts";
import { TextField } from "./fields.tsx";

export interface NameFieldProps {
  readonly value: string;
  readonly onChange: (name: string) => void;
  /** Why the form was refused, if it was. */
  readonly error: unknown;
  readonly hint?: string;
}

/** The name that every resource needs. */
export function NameField({ value, onChange, error, hint }: NameFieldProps): ReactNode {
  return (
    <TextField
      label="Name"
      required
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={fieldError(error, "name")}
      hint={hint}
    />
  );
}
