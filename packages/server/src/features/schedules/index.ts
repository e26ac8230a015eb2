export type { ScheduleFact } from "./facts.ts";
export { openSchedules } from "./open.ts";
export type { Schedules } from "./service.ts";
export { checkZone } from "./timing-cache.ts";
