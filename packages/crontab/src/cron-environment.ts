/** cron's default PATH. */
export const cronPath = "/usr/bin:/bin";

/**
 * The environment of a job under Debian's cron, without HOME and LOGNAME, which the daemon sets. `session` is the text of
 * the files that cron reads. cron passes on no locale of its own, so empty values hide the daemon's.
 */
export function cronEnvironment(session: string): Readonly<Record<string, string>> {
  const { HOME: _, LOGNAME: __, ...variables } = parseSessionEnvironment(session);
  return { LANG: "", LC_ALL: "", ...variables, SHELL: "/bin/sh", PATH: cronPath };
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
