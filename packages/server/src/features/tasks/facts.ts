export type TaskFact =
  | { readonly name: "task.created"; readonly taskId: string }
  | { readonly name: "task.updated"; readonly taskId: string; readonly changed: readonly string[] }
  /** An overdue task has succeeded. */
  | { readonly name: "task.recovered"; readonly taskId: string }
  | { readonly name: "task.deleted"; readonly taskId: string; readonly taskName: string; readonly erases: true };
export type TaskDeleted = Extract<TaskFact, { name: "task.deleted" }>;
