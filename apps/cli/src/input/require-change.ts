import { usage } from "../failure.ts";

/** Refuses an edit without any change. */
export function requireChange(changes: object, noun: string): void {
  if (Object.keys(changes).length === 0)
    throw usage("nothing to change: give at least one option", `See the options with: belfry help ${noun} edit`);
}
