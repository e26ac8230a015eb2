import { AppError } from "../../kernel/errors/errors.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import type { TaskDeleted } from "../tasks/index.ts";
import type { RunStore } from "./store.ts";

/** Rejects the deletion of a task with active or queued runs, because they need its settings. */
export function createRunReactions(store: RunStore) {
  return {
    onTaskDeleted: (_unit: Unit, fact: TaskDeleted): void => {
      if (store.hasUnfinished(fact.taskId))
        throw new AppError(
          "conflict",
          "this task has active or queued runs and cannot be deleted: cancel them, or wait until they end",
        );
    },
  };
}
