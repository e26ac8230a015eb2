import { defineCommand } from "../../command.ts";
import { assignmentTable } from "./assignment-table.ts";
import { findScope, scopeOptions } from "./scope.ts";

export const command = defineCommand({
  arguments: [{ name: "task", summary: "its name, group/name or id", isOptional: true }],
  options: scopeOptions,
  details: "Its own assignments only. What holds for a task with all it inherits: belfry notify effective",
  examples: [
    ['belfry notify show "Nightly backup"', "a task's own"],
    ["belfry notify show --group Backups", "a group's"],
  ],
  run: async ({ connect, args: [task], options, out }) => {
    const client = await connect();
    const scope = await findScope(client, task, options.group);
    const own = await scope.read();
    if (out.json) return out.answer(own, () => "");
    if (own.assignments.length > 0) return out.write(await assignmentTable(client, own.assignments, out));
    out.note(`${scope.words.replace("the", "The")} has no assignments of its own`);
  },
});
