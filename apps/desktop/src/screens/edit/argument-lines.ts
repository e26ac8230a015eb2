/** Text that a line cannot show as it is, or that would be read as something else. */
const isUnclear = /^\s*$|^"|[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Arguments as a form has them: one a line, as a JSON string where the line could not show it otherwise. */
export function linesOfArguments(words: readonly string[]): string {
  return words.map((word) => (isUnclear.test(word) ? jsonOf(word) : word)).join("\n");
}

/** The arguments of lines. A line that is no JSON string, though it begins as one, stays as it is: it is still being typed. */
export function argumentsOf(lines: string): readonly string[] {
  return filledLines(lines).map(({ text }) => (text.startsWith('"') ? (parsed(text) ?? text) : text));
}

/** What is wrong with the typed arguments, or null. */
export function argumentLinesProblem(lines: string): string | null {
  const wrong = filledLines(lines).find(({ text }) => text.startsWith('"') && parsed(text) === null);
  if (wrong === undefined) return null;
  return `Line ${wrong.number} begins with a double quote, but is no JSON string: put double quotes around it, and a backslash before each double quote and each backslash in it.`;
}

/** A command as one line, in which the limits of each argument and its line breaks are seen. */
export function commandLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : jsonOf(word))).join(" ");
}

/** An empty argument is `""`, so that a line break at the end adds none. */
function filledLines(lines: string): readonly { readonly text: string; readonly number: number }[] {
  return lines
    .split("\n")
    .map((text, index) => ({ text, number: index + 1 }))
    .filter(({ text }) => text.trim() !== "");
}

function parsed(text: string): string | null {
  try {
    return JSON.parse(text) as string;
  } catch {
    return null;
  }
}

/** JSON itself leaves some characters as they are that a text field or a reader would not keep apart. */
function jsonOf(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\p{Cc}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
