import { argument } from "../../arguments.ts";
import { findTask } from "../../find/task.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  argument: argument.task,
  find: findTask,
  act: (client, task) => client.tasks.delete(task.id),
  done: (task) => `Deleted the task ${JSON.stringify(task.name)}`,
  examples: [['belfry task delete "Nightly backup"', "its schedules go with it"]],
});
