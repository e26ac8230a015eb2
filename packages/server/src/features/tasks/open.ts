import { taskEvents } from "./events.ts";
import { serveTasks } from "./operations.ts";
import { createTasks, type TaskDeps } from "./service.ts";
import { createTaskStore } from "./store.ts";
import type { Db } from "../../kernel/storage/database.ts";

export interface TasksParts extends Omit<TaskDeps, "store"> {
  readonly db: Db;
}

export function openTasks({ db, ...parts }: TasksParts) {
  const service = createTasks({ ...parts, store: createTaskStore(db) });
  return {
    service,
    operations: serveTasks(service),
    events: taskEvents(service),
    revisions: { task: (id: string) => service.find(id)?.revision },
  };
}
