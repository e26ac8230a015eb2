/**
 * cron's `%`: the first one that is not escaped ends the command, and what follows is its standard input with each `%`
 * a new line, ended by one. `\%` is a plain `%` in both parts; any other backslash stays.
 */
export function splitPercent(command: string): { readonly script: string; readonly standardInput: string | null } {
  // in the command a backslash takes the next character with it: `\\%` is an escaped backslash, then a `%` that ends
  const [head = ""] = /^(?:\\.|[^\\%]|\\$)*/s.exec(command) ?? [];
  const rest = command.slice(head.length + 1);
  return { script: head.replaceAll(String.raw`\%`, "%"), standardInput: rest === "" ? null : readInput(rest) };
}

/** Here each backslash right before a `%` escapes it, even an escaped one; so cron does. */
function readInput(text: string): string {
  const input = text.replaceAll(/\\?%/g, (mark) => (mark === "%" ? "\n" : "%"));
  return input.endsWith("\n") ? input : `${input}\n`;
}
