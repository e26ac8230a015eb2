import { usage } from "../failure.ts";

/** An edit that names nothing to change is a mistake in typing, not a change. */
export function requireChange(changes: object, noun: string): void {
  if (Object.keys(changes).length === 0)
    throw usage("what shall change? Name at least one option", `belfry help ${noun} edit`);
}
