import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { groupMembers } from "../../definitions/group-members.ts";
import { groupChanges } from "../../definitions/group-options.ts";
import { findGroup } from "../../find/group.ts";
import { refuseSameName } from "../../input/refuse-same-name.ts";
import { requireChange } from "../../input/require-change.ts";
import { text, texts } from "../../options.ts";

export const command = defineCommand({
  arguments: [argument.group],
  options: {
    name: text("--name <name>", "new name"),
    ...groupChanges,
    unsetEnv: texts("--unset-env <name>", "remove a variable"),
  },
  details: "Options that are not given stay unchanged.",
  examples: [
    ["belfry group edit Backups --limit 3 --no-tz", "raise the limit and clear the time zone"],
    ["belfry group edit Backups --parent Storage", "move the group into another group"],
  ],
  run: async ({ connect, args: [typed], options, host, out }) => {
    const client = await connect();
    const group = await findGroup(client, typed);
    const members = { ...withoutUndefined({ name: options.name }), ...(await groupMembers(options, client, host)) };
    refuseSameName({ set: ["--env", members.environment], removed: ["--unset-env", options.unsetEnv] });
    const removals = Object.fromEntries((options.unsetEnv ?? []).map((name) => [name, null]));
    const patch =
      options.unsetEnv === undefined ? members : { ...members, environment: { ...removals, ...members.environment } };
    requireChange(patch, "group");
    const changed = await client.groups.update(group.id, patch, { ifMatch: group.revision });
    out.answer(changed, () => `Changed group ${JSON.stringify(changed.name)}`);
  },
});
