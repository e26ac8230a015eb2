import { parseEnv } from "node:util";
import { usage } from "../failure.ts";
import type { Host } from "../host.ts";
import { readText } from "./text.ts";

interface EnvironmentOptions {
  readonly env?: readonly string[] | undefined;
  readonly envFile?: string | undefined;
}

/** Names copied from the caller's environment over those of a file. Values never stand on the command line, where all can read them. */
export async function readEnvironment(
  { env = [], envFile }: EnvironmentOptions,
  host: Host,
): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  if (envFile !== undefined) {
    for (const [name, value] of Object.entries(parseEnv(await readText(envFile, host)))) values[name] = value ?? "";
  }
  for (const name of env) values[name] = copyOf(name, host);
  return values;
}

function copyOf(name: string, host: Host): string {
  const cut = name.indexOf("=");
  if (cut >= 0) {
    throw usage(
      `--env takes a name only: others on this machine can read a value on the command line`,
      `Set it before the command, or use a file: ${name.slice(0, cut)}=... belfry ... --env ${name.slice(0, cut)}`,
    );
  }
  const value = host.environment[name];
  if (value === undefined) throw usage(`--env ${name}: ${name} is not set here`);
  return value;
}
