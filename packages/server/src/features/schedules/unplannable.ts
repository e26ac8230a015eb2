import { findDamage, isStorageFailure } from "../../kernel/errors/errors.ts";
import { CronError } from "./timing/cron-error.ts";
import { ZoneError } from "./timing/zone.ts";

export type Planned<T> = { readonly value: T } | { readonly fault: string };

/**
 * Plans a stored schedule, or returns why it cannot be planned: a newer time zone database may lack its zone, and its row
 * may be damaged. One such schedule must not hold up the others.
 */
export function tryToPlan<T>(work: () => T): Planned<T> {
  try {
    return { value: work() };
  } catch (error) {
    if (isStorageFailure(error) || findDamage(error) !== null) throw error;
    return { fault: explainFault(error) };
  }
}

/** Explains the fault as a clause. */
function explainFault(error: unknown): string {
  if (error instanceof ZoneError) return `its time zone ${error.message}`;
  if (error instanceof CronError) return `its expression ${error.message}`;
  return "its definition is damaged";
}
