import { argument } from "../../arguments.ts";
import { findGroup } from "../../find/group.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  argument: argument.group,
  find: findGroup,
  act: (client, group) => client.groups.delete(group.id),
  done: (group) => `Deleted the group ${JSON.stringify(group.name)}`,
  examples: [["belfry group delete Backups", "only while it is empty"]],
});
