import { argument } from "../../arguments.ts";
import { findTask } from "../../find/task.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  noun: "task",
  argument: argument.task,
  find: findTask,
  act: (client, task) => client.tasks.enable(task.id),
  done: "Enabled",
  unchanged: "already enabled",
  examples: [['belfry task enable "Nightly backup"', "allow new runs again"]],
});
