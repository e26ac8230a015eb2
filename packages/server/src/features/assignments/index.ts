export type { AssignmentFact } from "./facts.ts";
export { openAssignments } from "./open.ts";
export { isWanted } from "./policy.ts";
export type { Assignments } from "./service.ts";
