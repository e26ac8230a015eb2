import { defineCommand } from "../../command.ts";
import { findScope, scopeOptions } from "./scope.ts";

export const command = defineCommand({
  arguments: [{ name: "task", summary: "task name, group/name or id", isOptional: true }],
  options: scopeOptions,
  details: "The task or group then inherits from the nearest parent group that has channels.",
  examples: [
    ['belfry notify clear "Nightly backup"', "make a task inherit its notifications again"],
    ["belfry notify clear --group Backups", "make a group inherit its notifications again"],
  ],
  run: async ({ connect, args: [task], options, out }) => {
    const client = await connect();
    const scope = await findScope(client, task, options.group);
    const own = await scope.replace([]);
    out.answer(
      own,
      () =>
        `Cleared the notifications of ${scope.label}. ${scope.isGroup ? "Its tasks now inherit" : "It now inherits"} from the nearest parent group that has channels`,
    );
  },
});
