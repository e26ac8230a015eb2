import type { DaemonLocation } from "../daemon-location.ts";
import type { Host } from "../host.ts";

/** Rewrites the commands in a message, so that they can be copied. */
export type Rewrite = (text: string) => string;

/** Stands before and after a text that is not rewritten. No name and no argument of a program can contain it. */
const mark = "\0";

/** Keeps a part of a message as it is: a command for another machine, or the words of a user. */
export function asWritten(text: string): string {
  return `${mark}${plainText(text)}${mark}`;
}

/** The message with its commands as they are, for a reader other than a terminal. */
export function plainText(text: string): string {
  return text.replaceAll(mark, "");
}

/**
 * Makes `belfry run list` the command as the user would type it: with the name by which it was called, and the options
 * that choose the daemon. What is quoted, and what is marked with `asWritten`, stays as it is.
 */
export function hintRewriter({ calledAs = "belfry" }: Pick<Host, "calledAs">, location: DaemonLocation): Rewrite {
  const options = [
    ["--socket", location.socket],
    ["--data-dir", location.dataDir],
    ["--profile", location.profile],
  ].flatMap(([name, value]) => (typeof value === "string" ? [name!, quoteForShell(value)] : []));
  const name = quoteForShell(calledAs);
  const prefix = [name, ...options].join(" ");
  if (prefix === "belfry") return plainText;
  const rewrite = (text: string): string =>
    text.replaceAll(quotedOrCommand, (found, withoutDaemon?: string) =>
      found === "belfry " ? `${withoutDaemon === undefined ? prefix : name} ` : found,
    );
  return (text) =>
    text
      .split(mark)
      .map((part, index) => (index % 2 === 1 ? part : rewrite(part)))
      .join("");
}

/** A name or another text of a user, in the quotes of JSON or of the shell. */
const quoted = String.raw`"(?:[^"\\\n]|\\.)*"|(?<=^|[\s=])'(?:[^'\n]|'\\'')*'`;

/**
 * The beginning of a command after a colon, a backtick or a word such as `with`, and at the start of a line. It captures
 * `profile`, `enroll`, `--help` and `--profile`, which take no other option that chooses a daemon.
 */
const command = String.raw`(?<=^|: |${"`"}|\b(?:run|with|use|see|or|xargs) |\| )belfry (?=[a-z]|--help\b|--profile\b)(?=(profile\b|enroll\b|--help\b|--profile\b)|)`;

const quotedOrCommand = new RegExp(`${quoted}|${command}`, "gm");

/**
 * A name as one word of a shell, for commands beside sentences that name things in double quotes: with the same quotes, unless
 * the shell would read something in the name.
 */
export function quoteName(name: string): string {
  return /["$`\\!]/.test(name) ? quoteForShell(name) : `"${name}"`;
}

export function quoteForShell(word: string): string {
  return /^[\w./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
