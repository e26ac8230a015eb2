import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { findGroup } from "../../find/group.ts";
import { enabledFilter } from "../../input/enabled-filter.ts";
import { flag, text } from "../../options.ts";
import { groupColumns } from "../../views/group.ts";

export const command = defineCommand({
  options: {
    parent: text("--parent <group>", "only groups directly in this group"),
    name: text("--name <part>", "only names that contain this text"),
    enabled: flag("--enabled", "only enabled groups"),
    disabled: flag("--disabled", "only disabled groups"),
  },
  examples: [
    ["belfry group list", "list all groups"],
    ["belfry group list --disabled", "list the disabled groups"],
  ],
  run: async ({ connect, options, out }) => {
    const client = await connect();
    const query = withoutUndefined({
      parent_id: options.parent === undefined ? undefined : (await findGroup(client, options.parent)).id,
      q: options.name,
      enabled: enabledFilter(options),
    });
    const isFiltered = Object.keys(query).length > 0;
    const page = await client.groups.list(query);
    const all = isFiltered ? await client.groups.list() : page;
    const names = new Map(all.groups.map((group) => [group.id, group.name]));
    await out.list(page, {
      plural: "groups",
      isWhole: true,
      columns: groupColumns(names),
      empty: isFiltered ? "No groups match" : "No groups yet. Add one with: belfry group add Backups",
    });
  },
});
