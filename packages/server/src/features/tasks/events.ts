import type { ModuleEvents } from "../../kernel/module.ts";
import { resourceEvents } from "../../kernel/resource-events.ts";
import { eventViewer } from "../../kernel/show.ts";
import type { TaskFact } from "./facts.ts";
import type { Tasks } from "./service.ts";

export function taskEvents(tasks: Tasks): ModuleEvents<TaskFact> {
  const event = resourceEvents("task", (id) => {
    const row = tasks.find(id);
    return row && tasks.view(row, eventViewer);
  });
  return {
    kind: "task",
    of: {
      "task.created": ({ taskId }) => event.created(taskId),
      "task.updated": ({ taskId }) => event.updated(taskId),
      "task.deleted": ({ taskId }) => event.deleted(taskId),
    },
  };
}
