import { AppError } from "../../kernel/errors/errors.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import type { TaskDeleted } from "../tasks/index.ts";
import type { RunStore } from "./store.ts";

/** A task cannot go while a run of it is under way or waits: it would lose its terms, or run without a task. */
export function createRunReactions(store: RunStore) {
  return {
    onTaskDeleted: (_unit: Unit, fact: TaskDeleted): void => {
      if (store.hasUnfinished(fact.taskId))
        throw new AppError("conflict", "a run of this task is under way or waiting: cancel it or let it end first");
    },
  };
}
