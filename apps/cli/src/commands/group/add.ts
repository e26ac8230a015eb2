import { defineCommand } from "../../command.ts";
import { groupMembers } from "../../definitions/group-members.ts";
import { groupOptions } from "../../definitions/group-options.ts";
import { flag } from "../../options.ts";

export const command = defineCommand({
  arguments: [{ name: "name", summary: "what to call it" }],
  options: { ...groupOptions, disabled: flag("--disabled", "add it switched off") },
  examples: [
    ["belfry group add Backups --tz Europe/Berlin --limit 2", "two runs at once over all its tasks"],
    ["belfry group add Web --env-file web.env", "variables that its tasks share"],
  ],
  run: async ({ connect, args: [name], options, host, out }) => {
    const client = await connect();
    const group = await client.groups.create({
      name,
      enabled: options.disabled !== true,
      ...(await groupMembers(options, client, host)),
    });
    out.answer(group, () => `Added the group ${JSON.stringify(group.name)} (${group.id})`);
  },
});
