import type { DaemonUser } from "@belfry/crontab";
import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";

/** Finds the user that the daemon runs as: the owner of its socket. */
export async function findDaemonUser(socket: string): Promise<DaemonUser> {
  const uid = String((await stat(socket)).uid);
  const entries = await readEntries([uid]);
  return { name: entries.find((entry) => entry.uid === uid)?.name ?? uid, isRoot: uid === "0" };
}

/** Returns the names that are users of this machine. */
export async function findUsers(candidates: readonly string[]): Promise<ReadonlySet<string>> {
  const names = new Set((await readEntries(candidates)).map(({ name }) => name));
  return new Set(candidates.filter((candidate) => names.has(candidate)));
}

interface Entry {
  readonly name: string;
  readonly uid: string;
}

/** getent includes users of a directory service. A machine without getent has /etc/passwd. */
async function readEntries(keys: readonly string[]): Promise<readonly Entry[]> {
  const text = (await runGetent(keys)) ?? (await readFile("/etc/passwd", "utf8"));
  return text.split("\n").map((line) => {
    const [name = "", , uid = ""] = line.split(":");
    return { name, uid };
  });
}

/** getent prints the entries that exist, and fails if one is missing. */
function runGetent(keys: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    execFile("getent", ["passwd", ...keys], (error, stdout) => resolve(error?.code === "ENOENT" ? null : stdout));
  });
}
