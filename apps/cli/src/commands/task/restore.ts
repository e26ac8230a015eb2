import { argument } from "../../arguments.ts";
import { findTask } from "../../find/task.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  argument: argument.task,
  find: findTask,
  act: (client, task) => client.tasks.restore(task.id),
  done: (task) => `Restored the task ${JSON.stringify(task.name)}`,
  examples: [['belfry task restore "Nightly backup"', "take it back"]],
});
