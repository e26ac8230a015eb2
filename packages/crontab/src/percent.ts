/**
 * Splits at the first unescaped `%`, like cron. The text after it is the standard input, in which each `%` is a newline,
 * and which ends with one. `\%` is a plain `%` in both parts; other backslashes stay.
 */
export function splitPercent(command: string): { readonly script: string; readonly standardInput: string | null } {
  // in the command, a backslash escapes any next character: `\\%` is an escaped backslash, then a `%` that ends it
  const [head = ""] = /^(?:\\.|[^\\%]|\\$)*/s.exec(command) ?? [];
  const rest = command.slice(head.length + 1);
  return { script: head.replaceAll(String.raw`\%`, "%"), standardInput: rest === "" ? null : readInput(rest) };
}

/** Here, as in cron, a backslash before `%` always escapes it, even after another backslash. */
function readInput(text: string): string {
  const input = text.replaceAll(/\\?%/g, (mark) => (mark === "%" ? "\n" : "%"));
  return input.endsWith("\n") ? input : `${input}\n`;
}
