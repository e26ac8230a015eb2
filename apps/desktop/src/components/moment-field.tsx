import type { ComponentProps, ReactNode } from "react";
import { TextField } from "./fields.tsx";

export type MomentFieldProps = Omit<ComponentProps<typeof TextField>, "type" | "max">;

/** A day and a time of the wall clock, such as `2026-11-23T06:00`. Without a latest one, a year may have six digits. */
export function MomentField(props: MomentFieldProps): ReactNode {
  return <TextField {...props} type="datetime-local" max="9999-12-31T23:59:59" />;
}
