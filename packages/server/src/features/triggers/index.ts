export type { TriggerDeleted, TriggerFact } from "./facts.ts";
export type { Members } from "./members.ts";
export { openTriggers } from "./open.ts";
export type { Triggers } from "./service.ts";
export type { TriggerRow } from "./table.ts";
