import { usage } from "../failure.ts";

const ignoredLine = /[ \t]*(?:#[^\n]*)?\r?(?:\n|$)/y;
const nameAndEquals = /[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=/y;
const openQuote = /[ \t]*(["'])/y;
const restOfLine = /([^\n]*)(?:\n|$)/y;
const afterQuote = /(?:[ \t]+#[^\n]*|[ \t]*)\r?(?:\n|$)/y;
const bodies = { '"': /([^"\\]*(?:\\[^][^"\\]*)*)"/y, "'": /([^']*)'/y } as const;

/**
 * Parses lines of NAME=value as systemd and the shell do, without expansion. Refuses what it would otherwise cut off,
 * by the number of the line. A line is not repeated in the error, because it can be a secret.
 */
export function parseEnvironmentFile(given: string, origin: string): ReadonlyMap<string, string> {
  const text = withPlainLineEnds(given.replace(/^\uFEFF/, ""));
  const values = new Map<string, string>();
  let at = 0;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) return null;
    at = pattern.lastIndex;
    return found[1] ?? "";
  };
  const lineAt = (offset: number): string => `line ${text.slice(0, offset).split("\n").length} of ${origin}`;
  while (at < text.length) {
    if (take(ignoredLine) !== null) continue;
    const name = take(nameAndEquals);
    if (name === null)
      throw usage(
        `${lineAt(at)} is not an assignment. Use NAME=value, with letters, digits and underscores in the name`,
        "Comments start with #. A value of several lines needs quotes",
      );
    const quote = take(openQuote);
    if (quote === null) {
      values.set(name, readUnquoted(take(restOfLine)!));
      continue;
    }
    const body = take(bodies[quote as keyof typeof bodies]);
    if (body === null)
      throw usage(
        `the value of ${name} in ${lineAt(at)} begins with a quote that has no end`,
        `Add the second quote. If the quote belongs to the value, put the value in the other kind of quotes`,
      );
    if (take(afterQuote) === null)
      throw usage(
        `the value of ${name} has more text after its second quote, in ${lineAt(at)}`,
        'Put the whole value in quotes. In double quotes, write a double quote as \\"',
      );
    values.set(name, quote === '"' ? unescape(body) : body);
  }
  return values;
}

/** A `#` without white space before it is a part of the value, such as of a password. */
function readUnquoted(rest: string): string {
  return rest.replace(/[ \t]#.*$/s, "").replace(/^[ \t]+|[ \t\r]+$/g, "");
}

function unescape(body: string): string {
  return body.replaceAll(/\\([n"\\$`])/g, (_, escaped: string) => (escaped === "n" ? "\n" : escaped));
}

/** Quotes a value so that it is read back unchanged. */
export function quoteForEnvironmentFile(value: string): string {
  if (/^[\w./:@%+,=-]*$/.test(value)) return value;
  return value.includes("'") ? `"${value.replaceAll(/["\\$`]/g, String.raw`\$&`)}"` : `'${value}'`;
}

/** Where every line ends with CR and LF, as on Windows, no CR belongs to a value. */
function withPlainLineEnds(text: string): string {
  return /(?:^|[^\r])\n/.test(text) ? text : text.replaceAll("\r\n", "\n");
}
