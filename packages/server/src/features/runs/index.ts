export type { RunEnded, RunFact } from "./facts.ts";
export { createRunHandlers, type RunHandlers } from "./handlers.ts";
export { createLifecycle, type Lifecycle, type ReportedEnd } from "./lifecycle.ts";
export { createRunReactions } from "./reactions.ts";
export { createRequests, type Requests, type RunSource } from "./request.ts";
export { createRetention, type Retention } from "./retention.ts";
export { createRunStore, type RunStore } from "./store.ts";
export type { AttemptRow, RunRow } from "./table.ts";
export { viewRun } from "./view.ts";
