import { readFile } from "node:fs/promises";

/** cron's default PATH. */
export const cronPath = "/usr/bin:/bin";

/** Debian's cron reads these files in this order for each job; the later one wins. */
const sessionFiles = ["/etc/environment", "/etc/default/locale"];

/**
 * The environment of a job under Debian's cron, without HOME and LOGNAME, which the daemon sets. cron passes on no locale
 * of its own, so empty values hide the daemon's.
 */
export async function readCronEnvironment(files = sessionFiles): Promise<Readonly<Record<string, string>>> {
  const texts = await Promise.all(files.map((path) => readFile(path, "utf8").catch(() => "")));
  const { HOME: _, LOGNAME: __, ...session } = parseSessionEnvironment(texts.join("\n"));
  return { LANG: "", LC_ALL: "", ...session, SHELL: "/bin/sh", PATH: cronPath };
}

/**
 * Parses like pam_env: `#` starts a comment even within quotes, a quote at either end is removed, and nothing is
 * expanded.
 */
export function parseSessionEnvironment(text: string): Readonly<Record<string, string>> {
  const environment: Record<string, string> = {};
  for (const line of text.replaceAll("\\\n", "").split("\n")) {
    const [, name, value] = /^[ \t]*(?:export )?([A-Za-z_]\w*)=([^#]*)/.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    environment[name] = /^["']/.test(value) ? value.slice(1).replace(/["']$/, "") : value;
  }
  return environment;
}
