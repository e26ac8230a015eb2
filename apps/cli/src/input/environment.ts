import { parseEnv } from "node:util";
import { usage } from "../failure.ts";
import type { Host } from "../host.ts";
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
  const values: Record<string, string> = {};
  if (envFrom !== undefined) {
    const text = await readText(envFrom, host);
    requireAssignments(text, envFrom === "-" ? "standard input" : envFrom);
    for (const [name, value] of Object.entries(parseEnv(text))) values[name] = value ?? "";
  }
  for (const name of env) values[name] = copyOf(name, host);
  return values;
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

const assignment = /^\s*(?:export\s+)?[A-Za-z_][A-Za-z0-9_]*\s*=\s*(["'`]?)(.*)$/;

/** Refuses the lines that Node's parser would ignore. A line is not repeated in the error, because it can be a secret. */
function requireAssignments(text: string, origin: string): void {
  let openQuote = "";
  const lines = text.split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    if (openQuote !== "") {
      if (line.includes(openQuote)) openQuote = "";
      continue;
    }
    if (/^\s*(?:#|$)/.test(line)) continue;
    const found = assignment.exec(line);
    if (found === null)
      throw usage(
        `line ${index + 1} of ${origin} is not an assignment. Use NAME=value, with letters, digits and underscores in the name`,
        "Comments start with #. A value of several lines needs quotes",
      );
    const [, quote = "", rest = ""] = found;
    // the parser reads a quote without its other half as a part of the value
    const isClosed =
      quote === "" || rest.includes(quote) || !lines.slice(index + 1).some((other) => other.includes(quote));
    if (!isClosed) openQuote = quote;
  }
}
