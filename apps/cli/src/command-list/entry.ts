import type { LoadedCommand } from "../command.ts";

/** One command: its name, its line in the help, and the module to load when it is called. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Another name for it, if it is not the usual one of such a command. */
  readonly alias?: string;
  /** The command that a top-level command is short for. */
  readonly shortFor?: string;
  /** Left out of the help. */
  readonly isHidden?: true;
  readonly load: () => Promise<{ readonly command: LoadedCommand }>;
}

/** A command that only holds subcommands, such as `task`. */
export interface CommandFamily {
  readonly name: string;
  readonly summary: string;
  readonly subcommands: readonly CommandEntry[];
}

const usualAliases: ReadonlyMap<string, string> = new Map([
  ["list", "ls"],
  ["delete", "rm"],
  ["remove", "rm"],
]);

/** Every other name of a command. */
export function aliasesOf({ name, alias }: CommandEntry): readonly string[] {
  return [alias, usualAliases.get(name)].filter((other) => other !== undefined);
}
