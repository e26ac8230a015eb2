import { usage } from "../failure.ts";
import type { Host } from "../host.ts";
import { parseEnvironmentFile } from "./environment-file.ts";
import { readText } from "./text.ts";

interface EnvironmentOptions {
  readonly env?: readonly string[] | undefined;
  readonly envFrom?: string | undefined;
}

/** Reads variables from a file, then from the caller's environment, which wins. Values are never arguments: other users can read those. */
export async function readEnvironment(
  { env = [], envFrom }: EnvironmentOptions,
  host: Host,
): Promise<Record<string, string>> {
  const values = new Map<string, string>();
  if (envFrom !== undefined) {
    const text = await readText(envFrom, host, { subject: `the file ${envFrom} of --env-from` });
    const read = parseEnvironmentFile(text, envFrom === "-" ? "standard input" : envFrom);
    for (const [name, value] of read) values.set(name, value);
  }
  for (const name of env) values.set(name, copyOf(name, host));
  return Object.fromEntries(values);
}

function copyOf(name: string, host: Host): string {
  const cut = name.indexOf("=");
  if (cut >= 0) {
    throw usage(
      "--env takes only a name, because other users can read values on the command line",
      `Set the variable before the command: ${name.slice(0, cut)}=... belfry ... --env ${name.slice(0, cut)}\nOr use a file with --env-from`,
    );
  }
  const value = host.environment[name];
  if (value === undefined)
    throw usage(`--env ${name}: environment variable ${name} is not set. Set it in your shell first`);
  return value;
}
