export type { ScheduleFact } from "./facts.ts";
export { createScheduleHandlers } from "./handlers.ts";
export { createPlanner, type Planner } from "./ticking/plan.ts";
export { createScheduleReactions } from "./reactions.ts";
export { createSchedules, type Schedules } from "./service.ts";
export { createScheduleStore } from "./store.ts";
export { createTicker, type Ticker } from "./ticking/ticker.ts";
export { checkZone, createTimings } from "./timing-cache.ts";
