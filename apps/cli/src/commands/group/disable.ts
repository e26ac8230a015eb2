import { argument } from "../../arguments.ts";
import { findGroup } from "../../find/group.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  noun: "group",
  argument: argument.group,
  find: findGroup,
  act: (client, group) => client.groups.disable(group.id),
  done: "Disabled",
  unchanged: "already disabled",
  examples: [["belfry group disable Backups", "start no task in the group or its subgroups"]],
});
