export type { AssignmentFact } from "./facts.ts";
export { createAssignmentHandlers } from "./handlers.ts";
export { isWanted } from "./policy.ts";
export { type Assignments, createAssignments } from "./service.ts";
export { createAssignmentStore } from "./store.ts";
