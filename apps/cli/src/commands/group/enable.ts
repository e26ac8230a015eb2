import { argument } from "../../arguments.ts";
import { findGroup } from "../../find/group.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  noun: "group",
  argument: argument.group,
  find: findGroup,
  act: (client, group) => client.groups.enable(group.id),
  done: "Enabled",
  unchanged: "already enabled",
  examples: [["belfry group enable Backups", "allow its tasks to start again"]],
});
