import { defineCommand } from "../../command.ts";
import { findGroup } from "../../find/group.ts";
import { text } from "../../options.ts";

export const command = defineCommand({
  options: {
    group: text("--group <group>", "release the hold on this group (default: the hold on all tasks)"),
  },
  details: "What waited now starts. Times that schedules skipped do not run later.",
  examples: [
    ["belfry release", "release the hold on all tasks"],
    ["belfry release --group Backups", "release the hold on a group"],
  ],
  run: async ({ connect, options, out }) => {
    const client = await connect();
    const group = options.group === undefined ? null : await findGroup(client, options.group);
    const hold = await client.holds.release({ group_id: group?.id ?? null });
    const held = hold.group_name === null ? "all tasks" : `group ${JSON.stringify(hold.group_name)}`;
    out.answer(hold, () => `Released ${held}`);
    const { holds } = await client.holds.list();
    if (holds.length > 0) out.note("Other holds remain. List them with: belfry holds");
  },
});
