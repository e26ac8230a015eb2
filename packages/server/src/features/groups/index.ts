export type { GroupDeleting, GroupFact } from "./facts.ts";
export { openGroups } from "./open.ts";
export type { Groups } from "./service.ts";
export type { GroupRow } from "./table.ts";
