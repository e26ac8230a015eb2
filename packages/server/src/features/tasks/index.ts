export type { TaskDeleted, TaskFact } from "./facts.ts";
export { type FindTarget, findTargets } from "./find-targets.ts";
export { type LabelFilter, readLabelFilter } from "./label-filter.ts";
export { openTasks } from "./open.ts";
export type { WhyQuestion } from "./question.ts";
export type { Tasks } from "./service.ts";
export { selectLabelled } from "./store.ts";
export type { TaskRow } from "./table.ts";
export { explainObstacle, readinessText } from "./target.ts";
