import { defineCommand } from "../../command.ts";
import { defined } from "../../defined.ts";
import { text } from "../../options.ts";
import { groupColumns } from "../../views/group.ts";

export const command = defineCommand({
  options: { name: text("--name <part>", "with this in the name") },
  examples: [["belfry group list", "all groups"]],
  run: async ({ connect, options, out }) => {
    const client = await connect();
    const page = await client.groups.list(defined({ q: options.name }));
    const all = options.name === undefined ? page : await client.groups.list();
    const names = new Map(all.groups.map((group) => [group.id, group.name]));
    await out.list(page, {
      plural: "groups",
      isWhole: true,
      columns: groupColumns(names),
      empty: "No groups. Add one: belfry group add Backups",
    });
  },
});
