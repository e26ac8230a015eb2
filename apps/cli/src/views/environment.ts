import { hiddenBelowManage } from "./hidden.ts";

/** The names of a task's or group's own variables. */
export function environmentText(names: readonly string[] | undefined): string | null {
  if (names === undefined) return hiddenBelowManage;
  return names.length === 0 ? null : names.join(", ");
}
