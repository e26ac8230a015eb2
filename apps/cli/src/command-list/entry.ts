import type { LoadedCommand } from "../command.ts";

/** One command: its name, its line in the help, and the module to load when it is called. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Another name for it. */
  readonly alias?: string;
  readonly load: () => Promise<{ readonly command: LoadedCommand }>;
}

/** A command that only holds subcommands, such as `task`. */
export interface CommandFamily {
  readonly name: string;
  readonly summary: string;
  readonly subcommands: readonly CommandEntry[];
}
