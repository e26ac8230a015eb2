import type { Hint } from "@belfry/contract";
import type { ModuleEvents } from "../../kernel/module.ts";
import { resourceEvents } from "../../kernel/resource-events.ts";
import { eventViewer } from "../../kernel/show.ts";
import type { TaskFact } from "./facts.ts";
import type { Tasks } from "./service.ts";

function eventsOf(tasks: Tasks) {
  return resourceEvents("task", (id) => {
    const row = tasks.find(id);
    return row && tasks.view(row, eventViewer);
  });
}

/** The event of a task whose success has become overdue. */
export function overdueEvent(tasks: Tasks, taskId: string): Hint | null {
  return eventsOf(tasks).updated(taskId);
}

export function taskEvents(tasks: Tasks): ModuleEvents<TaskFact> {
  const event = eventsOf(tasks);
  return {
    kind: "task",
    of: {
      "task.created": ({ taskId }) => event.created(taskId),
      "task.updated": ({ taskId }) => event.updated(taskId),
      "task.recovered": ({ taskId }) => event.updated(taskId),
      "task.deleted": ({ taskId }) => event.deleted(taskId),
    },
  };
}
