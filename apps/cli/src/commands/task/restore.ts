import { argument } from "../../arguments.ts";
import { findTask } from "../../find/task.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  noun: "task",
  argument: argument.task,
  find: findTask,
  act: (client, task) => client.tasks.restore(task.id),
  done: "Restored",
  examples: [['belfry task restore "Nightly backup"', "undo an archive"]],
});
