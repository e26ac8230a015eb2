import { asWritten } from "./hints.ts";

/** Describes an empty list of what is added only on the daemon's own machine. `add` is the command for that. */
export function emptyOfLocal(plural: string, add: string, profile: string | null): string {
  return profile === null
    ? `No ${plural} yet. Add one with: ${add}`
    : asWritten(`No ${plural} yet. On the daemon's machine, add one with: ${add}`);
}
