export type ScheduleFact =
  | { readonly name: "schedule.created"; readonly scheduleId: string }
  | { readonly name: "schedule.updated"; readonly scheduleId: string; readonly changed: readonly string[] }
  /** Its next instant moved, nothing that a client wrote. */
  | { readonly name: "schedule.planned"; readonly scheduleId: string }
  | { readonly name: "schedule.deleted"; readonly scheduleId: string };
