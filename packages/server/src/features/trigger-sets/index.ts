export type { TriggerSetFact } from "./facts.ts";
export { createTriggerSetHandlers, createTriggerSetReplays } from "./handlers.ts";
export { createTriggerSets, type TriggerSets } from "./service.ts";
export { createTriggerSetStore } from "./store.ts";
