import { readFile } from "node:fs/promises";
import type { Clock } from "../../kernel/time/clock.ts";
import { errorCode } from "../system-error.ts";
import { runTool } from "./run-tool.ts";
import { parseUser, type User } from "./user.ts";

/** How long a found user is remembered. An unknown user is looked up each time, so that a new one is found at once. */
export const rememberedMs = 60_000;

/**
 * A directory service that does not answer must not block an attempt for ever. With the checks before a start, this takes less
 * time than the daemon gives a runner to answer.
 */
const lookupTimeoutMs = 4_000;

interface Remembered {
  readonly at: number;
  readonly user: Promise<User>;
}

/** Creates the lookup of users by name. It rejects with a sentence if there is no such user. */
export function createFindUser(clock: Pick<Clock, "monotonicMs">, readEntry: typeof readPasswd = readPasswd) {
  const remembered = new Map<string, Remembered>();
  return (name: string): Promise<User> => {
    const now = clock.monotonicMs();
    const known = remembered.get(name);
    if (known !== undefined && now - known.at < rememberedMs) return known.user;
    const user = lookUp(name, readEntry);
    remembered.set(name, { at: now, user });
    user.catch(() => {
      if (remembered.get(name)?.user === user) remembered.delete(name);
    });
    return user;
  };
}

async function lookUp(name: string, readEntry: typeof readPasswd): Promise<User> {
  const entry = await readEntry(name);
  const user = entry === null ? null : parseUser(entry);
  if (user === null) throw new Error(`the user ${JSON.stringify(name)} does not exist on this machine`);
  return user;
}

/** The exit code of getent for a key that no database has. */
const notFound = 2;

/** Reads a user's line of the password database, with users of a directory service; null if there is none. */
async function readPasswd(name: string): Promise<string | null> {
  try {
    const { exitCode, stdout, stderr } = await runTool("getent", ["passwd", name], { timeoutMs: lookupTimeoutMs });
    if (exitCode === 0) return stdout.split("\n")[0] ?? null;
    if (exitCode === notFound) return null;
    const why = exitCode === null ? "getent did not answer in time" : stderr.trim().split("\n")[0];
    throw new Error(`the user ${JSON.stringify(name)} could not be looked up: ${why}`);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    // without getent there is no directory service either
    const lines = (await readFile("/etc/passwd", "utf8")).split("\n");
    return lines.find((line) => line.startsWith(`${name}:`)) ?? null;
  }
}
