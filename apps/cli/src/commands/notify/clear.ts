import { defineCommand } from "../../command.ts";
import { findScope, scopeOptions } from "./scope.ts";

export const command = defineCommand({
  arguments: [{ name: "task", summary: "task name, group/name or id", isOptional: true }],
  options: scopeOptions,
  details: "The task or group then uses the channels of the nearest group above it that has any.",
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
        `Removed the channels of ${scope.label}. ${scope.isGroup ? "Tasks that used them now use" : "It now uses"} the channels of the nearest group above it that has any`,
    );
  },
});
