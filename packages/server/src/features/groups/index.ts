export { createGroupHandlers } from "./handlers.ts";
export type { GroupDeleted, GroupFact } from "./facts.ts";
export { createGroups, type Groups } from "./service.ts";
export { createGroupStore } from "./store.ts";
export type { GroupRow } from "./table.ts";
export { viewGroup } from "./view.ts";
