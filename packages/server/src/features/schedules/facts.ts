export type ScheduleFact =
  | { readonly name: "schedule.created"; readonly scheduleId: string }
  | { readonly name: "schedule.updated"; readonly scheduleId: string; readonly changed: readonly string[] }
  /** The next instant of the schedule changed, but no member that a client can write. */
  | { readonly name: "schedule.planned"; readonly scheduleId: string }
  | { readonly name: "schedule.deleted"; readonly scheduleId: string }
  /** The wall clock was set, or the daemon has just started and does not know. */
  | { readonly name: "clock.set" };
