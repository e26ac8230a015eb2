import { argument } from "../../arguments.ts";
import { findGroup } from "../../find/group.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  argument: argument.group,
  find: findGroup,
  act: (client, group) => client.groups.enable(group.id),
  done: (group) => `Enabled the group ${JSON.stringify(group.name)}`,
  examples: [["belfry group enable Backups", "let its tasks start again"]],
});
