import { defineCommand } from "../../command.ts";
import { findScope, scopeOptions } from "./scope.ts";

export const command = defineCommand({
  arguments: [{ name: "task", summary: "its name, group/name or id", isOptional: true }],
  options: scopeOptions,
  details: "From then on it inherits what the groups around it say.",
  examples: [
    ['belfry notify clear "Nightly backup"', "let a task inherit again"],
    ["belfry notify clear --group Backups", "a group"],
  ],
  run: async ({ connect, args: [task], options, out }) => {
    const client = await connect();
    const scope = await findScope(client, task, options.group);
    const own = await scope.replace([]);
    out.answer(own, () => `${scope.words.replace("the", "The")} has no assignments of its own any more`);
  },
});
