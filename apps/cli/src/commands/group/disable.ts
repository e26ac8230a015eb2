import { argument } from "../../arguments.ts";
import { findGroup } from "../../find/group.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  argument: argument.group,
  find: findGroup,
  act: (client, group) => client.groups.disable(group.id),
  done: (group) => `Disabled the group ${JSON.stringify(group.name)}`,
  examples: [["belfry group disable Backups", "keep every task below it from starting"]],
});
