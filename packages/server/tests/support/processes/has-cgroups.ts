import { accessSync, mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { findOwnCgroup } from "../../../src/runner/processes/own-cgroup.ts";

/** Whether this machine delegates a cgroup of version 2 to the tests. */
export function hasCgroups(): boolean {
  const parent = findOwnCgroup();
  if (parent === null) return false;
  const cgroup = join(parent, `test-${process.pid}`);
  try {
    mkdirSync(cgroup);
    accessSync(join(cgroup, "cgroup.kill"));
    return true;
  } catch {
    return false;
  } finally {
    try {
      rmdirSync(cgroup);
    } catch {
      // it could not be created
    }
  }
}

/** Starts a runner that sees no cgroups, for `startRunner`. */
export const withoutCgroups: readonly string[] = hasCgroups()
  ? ["unshare", "-m", "/bin/sh", "-c", 'umount -a -l -t cgroup2; exec "$@"', "sh"]
  : [];
