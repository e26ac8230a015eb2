import { defineCommand, type LoadedCommand } from "../command.ts";
import type { CommandEntry, CommandFamily } from "../command-list/entry.ts";
import { listCompletions } from "../completion/complete.ts";
import { isBelfryError } from "@belfry/client";
import { Failure } from "../failure.ts";

/** Creates the command that completes the names of others. */
export function completing(commands: readonly (CommandFamily | CommandEntry)[]): LoadedCommand {
  return defineCommand({
    takesProgram: true,
    details: "The scripts of belfry completion call this command.",
    examples: [["belfry __complete -- task sh", "list what the last word can become"]],
    run: async ({ connect, program, out }) => {
      try {
        const found = await listCompletions({ words: program, commands, connect });
        out.write(found.map((word) => `${word}\n`).join(""));
      } catch (error) {
        // without a daemon there are no names to complete, and an error would disturb what the user types
        if (!isBelfryError(error) && !(error instanceof Failure)) throw error;
      }
    },
  });
}
