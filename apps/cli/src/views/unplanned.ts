import type { Agenda } from "@belfry/client";

/** Schedules that cannot be planned. An older daemon does not report them. */
export function listUnplanned({ unplanned = [] }: Partial<Agenda>): Agenda["unplanned"] {
  return unplanned;
}
