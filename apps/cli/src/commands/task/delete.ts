import { argument } from "../../arguments.ts";
import { findTask } from "../../find/task.ts";
import { deletedWith } from "../../views/deleted-with.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  noun: "task",
  argument: argument.task,
  find: findTask,
  act: (client, task) => client.tasks.delete(task.id),
  done: "Deleted",
  goesWith: deletedWith,
  examples: [
    ['belfry task delete "Nightly backup"', "delete a task with its schedules and chains"],
    ["belfry task delete Deploy Cleanup", "delete two tasks; if one does not exist, none is deleted"],
  ],
});
