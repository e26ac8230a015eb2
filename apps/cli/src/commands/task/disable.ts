import { argument } from "../../arguments.ts";
import { findTask } from "../../find/task.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  argument: argument.task,
  find: findTask,
  act: (client, task) => client.tasks.disable(task.id),
  done: (task) => `Disabled the task ${JSON.stringify(task.name)}`,
  examples: [['belfry task disable "Nightly backup"', "keep it from starting; running ones go on"]],
});
