export type { TriggerSetFact } from "./facts.ts";
export { openTriggerSets } from "./open.ts";
export { createTriggerSetStore as openTriggerSetRows } from "./store.ts";
