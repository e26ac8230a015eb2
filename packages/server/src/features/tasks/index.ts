export type { TaskDeleted, TaskFact } from "./facts.ts";
export { createTaskHandlers } from "./handlers.ts";
export { type LabelFilter, readLabelFilter } from "./label-filter.ts";
export { createTasks, type Tasks } from "./service.ts";
export { createTaskStore, selectLabelled } from "./store.ts";
export type { TaskRow } from "./table.ts";
export { readinessText } from "./target.ts";
