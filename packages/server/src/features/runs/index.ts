export type { HistoryGrown, RunEnd, RunEnded, RunFact } from "./facts.ts";
export type { Lifecycle, ReportedEnd } from "./lifecycle.ts";
export { openRunRows, openRuns } from "./open.ts";
export type { Requests } from "./request.ts";
export type { Retention } from "./retention.ts";
export { type RunCause, type RunSource, soleSource } from "./source.ts";
export type { RunStore } from "./store.ts";
export type { AttemptRow, RunRow } from "./table.ts";
export { attemptNumber } from "./view.ts";
