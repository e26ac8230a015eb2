import { readFile } from "node:fs/promises";

/** cron's own, for a file that sets none. */
export const cronPath = "/usr/bin:/bin";

/** Read in this order by the session that Debian's cron opens for each job; the later one wins. */
const sessionFiles = ["/etc/environment", "/etc/default/locale"];

/**
 * What Debian's cron gives a job besides its user's HOME and LOGNAME, which the daemon's user has anyway. It passes no
 * locale of its own on: an empty one is as good as none, and hides the daemon's.
 */
export async function readCronEnvironment(files = sessionFiles): Promise<Readonly<Record<string, string>>> {
  const texts = await Promise.all(files.map((path) => readFile(path, "utf8").catch(() => "")));
  const { HOME: _, LOGNAME: __, ...session } = parseSessionEnvironment(texts.join("\n"));
  return { LANG: "", LC_ALL: "", ...session, SHELL: "/bin/sh", PATH: cronPath };
}

/**
 * As pam_env reads these files: `#` ends a line even within quotes, a quote at either end goes, and nothing is
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
