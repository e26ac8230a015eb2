import { defineCommand } from "../../command.ts";
import { groupMembers } from "../../definitions/group-members.ts";
import { groupOptions } from "../../definitions/group-options.ts";
import { flag } from "../../options.ts";

export const command = defineCommand({
  arguments: [{ name: "name", summary: "name of the group" }],
  options: { ...groupOptions, disabled: flag("--disabled", "add the group disabled") },
  examples: [
    ["belfry group add Backups --tz Europe/Berlin --limit 2", "allow at most two concurrent runs of its tasks"],
    ["belfry group add Web --env-from web.env", "set environment variables for its tasks"],
  ],
  run: async ({ connect, args: [name], options, host, out }) => {
    const client = await connect();
    const group = await client.groups.create({
      name,
      enabled: options.disabled !== true,
      ...(await groupMembers(options, client, host)),
    });
    out.answer(group, () => `Added group ${JSON.stringify(group.name)} (${group.id})`);
  },
});
