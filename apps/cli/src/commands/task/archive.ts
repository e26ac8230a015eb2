import { argument } from "../../arguments.ts";
import { findTask } from "../../find/task.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  noun: "task",
  argument: argument.task,
  find: findTask,
  act: (client, task) => client.tasks.archive(task.id),
  done: "Archived",
  unchanged: "already archived",
  examples: [['belfry task archive "Nightly backup"', "start no new runs, and keep the history"]],
});
