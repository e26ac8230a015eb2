import { readFile } from "node:fs/promises";
import type { Clock } from "../../kernel/time/clock.ts";
import { errorCode } from "../system-error.ts";
import { runTool } from "./run-tool.ts";
import { requireTool } from "./switch-user.ts";
import { parseGroups, parseUser, type User } from "./user.ts";

/** How long a found user is remembered. An unknown user is looked up each time, so that a new one is found at once. */
export const rememberedMs = 60_000;

/**
 * A directory service that does not answer must not block an attempt for ever. With the checks before a start, this takes less
 * time than the daemon gives a runner to answer.
 */
const lookupTimeoutMs = 3_000;

export interface UserDatabases {
  /** Reads a user's line of the password database; null if there is none. */
  readonly readEntry: (name: string) => Promise<string | null>;
  readonly readGroups: (name: string) => Promise<readonly number[]>;
}

interface Remembered {
  readonly at: number;
  readonly user: Promise<User>;
}

/** Creates the lookup of users by name. It rejects with a sentence if there is no such user. */
export function createFindUser(clock: Pick<Clock, "monotonicMs">, databases: UserDatabases = systemDatabases) {
  const remembered = new Map<string, Remembered>();
  return (name: string): Promise<User> => {
    const now = clock.monotonicMs();
    const known = remembered.get(name);
    if (known !== undefined && now - known.at < rememberedMs) return known.user;
    const user = lookUp(name, databases);
    remembered.set(name, { at: now, user });
    user.catch(() => {
      if (remembered.get(name)?.user === user) remembered.delete(name);
    });
    return user;
  };
}

async function lookUp(name: string, { readEntry, readGroups }: UserDatabases): Promise<User> {
  // both at once, because a directory service may be slow
  const reading = readGroups(name);
  reading.catch(() => {});
  const entry = await readEntry(name);
  const user = entry === null ? null : parseUser(entry);
  if (user === null) throw new Error(`the user ${JSON.stringify(name)} does not exist on this machine`);
  const groups = await reading;
  return { ...user, groups: groups.includes(user.gid) ? groups : [user.gid, ...groups] };
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

/**
 * Reads the ids of a user's groups. As root, with an empty environment: the user must not lead the libraries that look them
 * up, nor change what a process of that user prints.
 */
async function readGroupIds(name: string): Promise<readonly number[]> {
  const { exitCode, stdout, stderr } = await runTool(requireTool("id"), ["-G", "--", name], {
    timeoutMs: lookupTimeoutMs,
  });
  const groups = exitCode === 0 ? parseGroups(stdout) : null;
  if (groups !== null) return groups;
  const why = exitCode === null ? "id did not answer in time" : stderr.trim().split("\n")[0];
  throw new Error(`the groups of the user ${JSON.stringify(name)} could not be looked up: ${why}`);
}

const systemDatabases: UserDatabases = { readEntry: readPasswd, readGroups: readGroupIds };
