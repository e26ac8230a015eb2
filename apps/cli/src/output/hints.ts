import type { DaemonLocation } from "../daemon-location.ts";
import type { Host } from "../host.ts";

/** Rewrites the commands in a message, so that they can be copied. */
export type Rewrite = (text: string) => string;

/**
 * Makes `belfry run list` the command as the user would type it: with the name by which it was called, and the options
 * that choose the daemon. Commands for other machines stay as they are.
 */
export function hintRewriter({ calledAs = "belfry" }: Pick<Host, "calledAs">, location: DaemonLocation): Rewrite {
  const options = [
    ["--socket", location.socket],
    ["--data-dir", location.dataDir],
    ["--profile", location.profile],
  ].flatMap(([name, value]) => (typeof value === "string" ? [name!, quoteForShell(value)] : []));
  const name = quoteForShell(calledAs);
  const prefix = [name, ...options].join(" ");
  if (prefix === "belfry") return (text) => text;
  return (text) =>
    text
      .split("\n")
      .map((line) =>
        /\bmachine\b/.test(line)
          ? line
          : line.replaceAll(command, (_, withoutDaemon?: string) => `${withoutDaemon === undefined ? prefix : name} `),
      )
      .join("\n");
}

/**
 * The beginning of a command after a colon, a backtick or a word such as `with`, and at the start of a line. It captures
 * `profile`, `enroll`, `--help` and `--profile`, which take no other option that chooses a daemon.
 */
const command =
  /(?<=^|: |`|\b(?:run|with|use|xargs) |\| )belfry (?=[a-z]|--help\b|--profile\b)(?=(profile\b|enroll\b|--help\b|--profile\b)|)/gm;

export function quoteForShell(word: string): string {
  return /^[\w./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
