import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../system-error.ts";

/** Finds the folder of this process's cgroup of version 2; null if the system has none, or does not show it. */
export function findOwnCgroup(self = "/proc/self"): string | null {
  try {
    return chooseCgroup(readFileSync(`${self}/cgroup`, "utf8"), readFileSync(`${self}/mountinfo`, "utf8"));
  } catch (error) {
    // a kernel without cgroups, or a sandbox that hides these files
    if (["ENOENT", "EACCES", "EPERM"].includes(errorCode(error))) return null;
    throw error;
  }
}

/**
 * Moves this process out of the cgroup of an attempt, if it is in one: a daemon that a task has started must not end with
 * the task.
 */
export function leaveAttemptCgroup(): void {
  try {
    const outside = cgroupOutsideAttempt(findOwnCgroup() ?? "");
    if (outside === null) return;
    writeFileSync(join(outside, "cgroup.procs"), "0");
  } catch {
    // another user's cgroup, or one that cannot be read: the daemon stays with the task
  }
}

/** Returns the cgroup around the runner of an attempt; null for one that belongs to no attempt. */
export function cgroupOutsideAttempt(cgroup: string): string | null {
  const [, outside = null] = /^(.*?)\/belfry-\d+-\d+\/\d+(?:\/.*)?$/.exec(cgroup) ?? [];
  return outside;
}

/** Finds the cgroup in the text of `/proc/self/cgroup`, and its folder by that of `/proc/self/mountinfo`. */
export function chooseCgroup(cgroups: string, mounts: string): string | null {
  const [, own] = /^0::(\/.*)$/m.exec(cgroups) ?? [];
  if (own === undefined || own.endsWith(" (deleted)")) return null;
  for (const line of mounts.split("\n")) {
    const [mount = "", source = ""] = line.split(" - ");
    if (!source.startsWith("cgroup2 ")) continue;
    const [, , , root = "", folder = ""] = mount.split(" ").map(unescape);
    const below = pathBelow(root, own);
    if (below !== null) return join(folder, below);
  }
  return null;
}

/** Returns the path of a cgroup below the root of a mount; null if it is outside. */
function pathBelow(root: string, own: string): string | null {
  if (root === "/") return own.startsWith("/..") ? null : own;
  return own === root || own.startsWith(`${root}/`) ? own.slice(root.length) : null;
}

/** The system writes spaces and line breaks of paths as octal numbers. */
function unescape(field: string): string {
  return field.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
