import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";

/** Whom the daemon runs as: the owner of its socket. Without an entry in the password database, the number. */
export async function daemonUser(socket: string): Promise<string> {
  const uid = String((await stat(socket)).uid);
  const entries = await readEntries([uid]);
  return entries.find((entry) => entry.uid === uid)?.name ?? uid;
}

/** Which of these words are users of this machine. */
export async function findUsers(words: readonly string[]): Promise<ReadonlySet<string>> {
  const names = new Set((await readEntries(words)).map(({ name }) => name));
  return new Set(words.filter((word) => names.has(word)));
}

interface Entry {
  readonly name: string;
  readonly uid: string;
}

/** getent also knows the users of a directory service; a machine without it has the file. */
async function readEntries(keys: readonly string[]): Promise<readonly Entry[]> {
  const text = (await askGetent(keys)) ?? (await readFile("/etc/passwd", "utf8"));
  return text.split("\n").map((line) => {
    const [name = "", , uid = ""] = line.split(":");
    return { name, uid };
  });
}

/** It prints the entries there are, and fails when one of them is missing. */
function askGetent(keys: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    execFile("getent", ["passwd", ...keys], (error, stdout) => resolve(error?.code === "ENOENT" ? null : stdout));
  });
}
