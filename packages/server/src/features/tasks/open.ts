import type { EventKind, Hint } from "@belfry/contract";
import type { Log } from "../../kernel/log/log.ts";
import type { Db } from "../../kernel/storage/database.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import { overdueEvent, taskEvents } from "./events.ts";
import { serveTasks } from "./operations.ts";
import { createOverdueWatch } from "./overdue-watch.ts";
import { createRunAsRules, type RunAsParts } from "./run-as.ts";
import { createTasks, type TaskDeps } from "./service.ts";
import { createTaskStore } from "./store.ts";

export interface TasksParts extends Omit<TaskDeps, "store" | "runAs"> {
  readonly account: RunAsParts;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** Publishes the event of an overdue success, which no fact reports. */
  readonly publish: (kind: EventKind, make: () => Hint | null) => void;
}

export function openTasks({ db, publish, account, ...parts }: TasksParts) {
  const store = createTaskStore(db);
  const service = createTasks({ ...parts, store, runAs: createRunAsRules(account) });
  const overdueWatch = createOverdueWatch({
    ...parts,
    store,
    onOverdue: (taskId) => publish("task", () => overdueEvent(service, taskId)),
  });
  return {
    service,
    operations: serveTasks(service),
    events: taskEvents(service),
    revisions: { task: (id: string) => service.find(id)?.revision },
    overdueWatch,
    loops: [overdueWatch],
  };
}
