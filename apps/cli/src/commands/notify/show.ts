import { defineCommand } from "../../command.ts";
import { assignmentTable } from "./assignment-table.ts";
import { findScope, scopeOptions } from "./scope.ts";

export const command = defineCommand({
  arguments: [{ name: "task", summary: "task name, group/name or id", isOptional: true }],
  options: scopeOptions,
  details: "Inherited channels are not shown. To show the channels that apply to a task, use: belfry notify effective",
  examples: [
    ['belfry notify show "Nightly backup"', "show the channels assigned to a task"],
    ["belfry notify show --group Backups", "show the channels assigned to a group"],
  ],
  run: async ({ connect, args: [task], options, out }) => {
    const client = await connect();
    const scope = await findScope(client, task, options.group);
    const own = await scope.read();
    if (out.json) return out.answer(own, () => "");
    if (own.assignments.length > 0) return out.write(await assignmentTable(client, own.assignments, out));
    out.note(`No channels are assigned to ${scope.label}`);
  },
});
