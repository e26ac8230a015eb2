import type { ModuleEvents } from "../../kernel/module.ts";
import type { TaskFact } from "./facts.ts";
import type { Tasks } from "./service.ts";

/** An event does not contain the command or the directory: they need a call that reads the task. */
export function taskEvents(tasks: Tasks): ModuleEvents<TaskFact> {
  const event =
    (verb: "created" | "updated" | "deleted") =>
    ({ taskId: id }: { readonly taskId: string }) => {
      const row = tasks.find(id);
      if (row === undefined) return verb === "deleted" ? ({ kind: "task", verb, id } as const) : null;
      const { command: _command, working_directory: _directory, ...task } = tasks.view(row);
      return { kind: "task", verb, id, task } as const;
    };
  return {
    kind: "task",
    of: { "task.created": event("created"), "task.updated": event("updated"), "task.deleted": event("deleted") },
  };
}
