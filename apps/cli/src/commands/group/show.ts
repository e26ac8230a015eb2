import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { findGroup } from "../../find/group.ts";
import { gather } from "../../gather.ts";
import { renderDetails } from "../../output/details.ts";
import { groupColumns, groupDetails } from "../../views/group.ts";
import { namedTaskColumns } from "../../views/task-columns.ts";

export const command = defineCommand({
  arguments: [argument.group],
  examples: [["belfry group show Backups", "show the group with its subgroups and tasks"]],
  run: async ({ connect, args: [typed], host, out }) => {
    const client = await connect();
    const group = await findGroup(client, typed);
    if (out.json) return out.answer(group, () => "");
    const [{ groups }, tasks] = await Promise.all([
      client.groups.list({ parent_id: group.id }),
      gather(client.tasks.list({ group_id: group.id, limit: 1000 })),
    ]);
    out.write(renderDetails(groupDetails(group)));
    const names = new Map([[group.id, group.name]]);
    if (groups.length > 0)
      out.write(
        `\n${out.table(
          groupColumns(names).filter(({ title }) => title !== "PARENT"),
          groups,
        )}`,
      );
    const { name, last, next, state } = namedTaskColumns(host.now());
    const rows = tasks.map((task) => ({ task, schedules: [] }));
    if (rows.length > 0) out.write(`\n${out.table([name, last, next, state], rows)}`);
  },
});
