import { argument } from "../../arguments.ts";
import { findTask } from "../../find/task.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  argument: argument.task,
  find: findTask,
  act: (client, task) => client.tasks.archive(task.id),
  done: (task) => `Archived the task ${JSON.stringify(task.name)}`,
  examples: [['belfry task archive "Nightly backup"', "put it away; its history stays readable"]],
});
