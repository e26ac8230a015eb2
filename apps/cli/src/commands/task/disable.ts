import { argument } from "../../arguments.ts";
import { findTask } from "../../find/task.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  noun: "task",
  argument: argument.task,
  find: findTask,
  act: (client, task) => client.tasks.disable(task.id),
  done: "Disabled",
  unchanged: "already disabled",
  examples: [['belfry task disable "Nightly backup"', "start no runs, not even queued ones; active runs continue"]],
});
