import { argument } from "../../arguments.ts";
import { findGroup } from "../../find/group.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  noun: "group",
  argument: argument.group,
  find: findGroup,
  act: (client, group) => client.groups.delete(group.id),
  done: "Deleted",
  examples: [["belfry group delete Backups", "delete a group that contains no tasks and no subgroups"]],
});
