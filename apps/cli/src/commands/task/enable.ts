import { argument } from "../../arguments.ts";
import { findTask } from "../../find/task.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  argument: argument.task,
  find: findTask,
  act: (client, task) => client.tasks.enable(task.id),
  done: (task) => `Enabled the task ${JSON.stringify(task.name)}`,
  examples: [['belfry task enable "Nightly backup"', "let it start again"]],
});
