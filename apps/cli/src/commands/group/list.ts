import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { findGroup } from "../../find/group.ts";
import { flag, text } from "../../options.ts";
import { groupColumns } from "../../views/group.ts";

export const command = defineCommand({
  options: {
    parent: text("--parent <group>", "groups directly in this group"),
    name: text("--name <part>", "with this in the name"),
    enabled: flag("--enabled", "enabled ones"),
    disabled: flag("--disabled", "disabled ones"),
  },
  examples: [
    ["belfry group list", "all groups"],
    ["belfry group list --disabled", "what blocks its tasks"],
  ],
  run: async ({ connect, options, out }) => {
    const client = await connect();
    const query = withoutUndefined({
      parent_id: options.parent === undefined ? undefined : (await findGroup(client, options.parent)).id,
      q: options.name,
      enabled: options.enabled === options.disabled ? undefined : options.enabled === true,
    });
    const isFiltered = Object.keys(query).length > 0;
    const page = await client.groups.list(query);
    const all = isFiltered ? await client.groups.list() : page;
    const names = new Map(all.groups.map((group) => [group.id, group.name]));
    await out.list(page, {
      plural: "groups",
      isWhole: true,
      columns: groupColumns(names),
      empty: isFiltered ? "No such groups" : "No groups. Add one: belfry group add Backups",
    });
  },
});
