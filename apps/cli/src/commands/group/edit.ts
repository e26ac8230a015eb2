import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { groupMembers } from "../../definitions/group-members.ts";
import { groupChanges } from "../../definitions/group-options.ts";
import { findGroup } from "../../find/group.ts";
import { requireChange } from "../../input/require-change.ts";
import { text, texts } from "../../options.ts";

export const command = defineCommand({
  arguments: [argument.group],
  options: {
    name: text("--name <name>", "a new name"),
    ...groupChanges,
    unsetEnv: texts("--unset-env <name>", "take a variable away"),
  },
  details: "What is not named stays as it is.",
  examples: [
    ["belfry group edit Backups --limit 3 --no-tz", "more at once, and the daemon's zone"],
    ["belfry group edit Backups --parent Storage", "move it into another group"],
  ],
  run: async ({ connect, args: [typed], options, host, out }) => {
    const client = await connect();
    const group = await findGroup(client, typed);
    const members = { ...withoutUndefined({ name: options.name }), ...(await groupMembers(options, client, host)) };
    const removals = Object.fromEntries((options.unsetEnv ?? []).map((name) => [name, null]));
    const patch =
      options.unsetEnv === undefined ? members : { ...members, environment: { ...removals, ...members.environment } };
    requireChange(patch, "group");
    const changed = await client.groups.update(group.id, patch, { ifMatch: group.revision });
    out.answer(changed, () => `Changed the group ${JSON.stringify(changed.name)}`);
  },
});
