/** The options of every command that have a value. */
export const valuedGlobals: readonly string[] = ["--socket", "--data-dir", "--profile", "--request-timeout"];

/** The options of every command. */
export const globalNames: readonly string[] = ["--json", ...valuedGlobals, "--help"];

/** The places of the first words after global options: of the command, and of its subcommand or first argument. */
export function findCommandWords(argv: readonly string[]): readonly number[] {
  const places: number[] = [];
  for (let index = 0; index < argv.length && places.length < 2; index += 1) {
    const word = argv[index]!;
    if (!word.startsWith("-")) places.push(index);
    else if (valuedGlobals.includes(word)) index += 1;
    else if (word !== "--json" && !valuedGlobals.includes(word.replace(/=.*$/s, ""))) break;
  }
  return places;
}
