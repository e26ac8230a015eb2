export type { ScheduleFact } from "./facts.ts";
export { openScheduleRows, openSchedules } from "./open.ts";
export type { Schedules } from "./service.ts";
export { checkZone } from "./timing-cache.ts";
