import { defineCommand, type LoadedCommand } from "../command.ts";
import type { CommandEntry, CommandFamily } from "../command-list/entry.ts";
import { listCompletions } from "../completion/complete.ts";
import type { DaemonLocation } from "../daemon-location.ts";
import { isBelfryError } from "@belfry/client";
import { Failure } from "../failure.ts";
import type { Host } from "../host.ts";
import { listProfileNames } from "../profiles/profile-store.ts";

/** Creates the command that completes the names of others. */
export function completing(commands: readonly (CommandFamily | CommandEntry)[]): LoadedCommand {
  return defineCommand({
    takesProgram: true,
    details: "The scripts of belfry completion call this command.",
    examples: [["belfry __complete -- task sh", "list what the last word can become"]],
    run: async ({ connect, connectTo, host, program, out }) => {
      try {
        const found = await listCompletions({
          words: program,
          commands,
          connectTo: (typed) => (typed === null ? connect() : connectTo(expandHome(typed, host))),
          listProfiles: () => listProfileNames(host),
        });
        out.write(found.map((word) => `${word}\n`).join(""));
      } catch (error) {
        // without a daemon there are no names to complete, and an error would disturb what the user types
        if (!isBelfryError(error) && !(error instanceof Failure)) throw error;
      }
    },
  });
}

/** The shell has not yet replaced the `~` of a word that is only being completed. */
function expandHome({ socket, dataDir, profile }: DaemonLocation, { environment }: Host): DaemonLocation {
  const expand = (path: string | null): string | null =>
    path?.replace(/^~(?=\/|$)/, environment["HOME"] ?? "~") ?? null;
  return { socket: expand(socket), dataDir: expand(dataDir), profile };
}
