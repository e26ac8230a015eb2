import type { ModuleEvents } from "../../kernel/module.ts";
import { resourceEvents } from "../../kernel/resource-events.ts";
import type { TaskFact } from "./facts.ts";
import type { Tasks } from "./service.ts";

/**
 * Creates the events of tasks. An event does not contain the command or the directory: only a call that reads the task
 * returns them.
 */
export function taskEvents(tasks: Tasks): ModuleEvents<TaskFact> {
  const event = resourceEvents("task", (id) => {
    const row = tasks.find(id);
    if (row === undefined) return undefined;
    const { command: _command, working_directory: _directory, ...task } = tasks.view(row);
    return task;
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
