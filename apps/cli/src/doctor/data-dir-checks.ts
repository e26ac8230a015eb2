import type { Client, RuntimeInfo } from "@belfry/client";
import { statfsSync, statSync } from "node:fs";
import { formatBytes } from "../output/time.ts";
import type { Finding } from "./finding.ts";

const mib = 1024 * 1024;

/** Files that were removed or replaced while the daemon runs, and that it cannot restore. An older daemon does not report them. */
export function checkFiles({ storage_faults: faults = [] }: Partial<RuntimeInfo>): readonly Finding[] {
  if (faults.length === 0) return [{ subject: "files", level: "good", text: "no file is missing or replaced" }];
  return faults.map(({ path, message }) => ({ subject: "files", level: "bad", text: `${path}: ${message}` }));
}

/** Checks that only the daemon's user can read the data directory. */
export function checkPrivacy(info: RuntimeInfo): Finding {
  const open = [info.data_dir, info.database_path].filter((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found !== undefined && (found.mode & 0o077) !== 0;
  });
  if (open.length === 0)
    return { subject: "privacy", level: "good", text: `only the daemon's user can read ${info.data_dir}` };
  return {
    subject: "privacy",
    level: "bad",
    text: `other users can read ${open.join(" and ")}. Fix with: chmod go-rwx ${open.join(" ")}`,
  };
}

/** A warning while the disk of a daemon on this machine is full; else null. */
export async function warnOfFullDisk(client: Client | null): Promise<string | null> {
  const dir = client === null ? null : (await client.runtimeInfo.get()).data_dir;
  if (dir === null || statSync(dir, { throwIfNoEntry: false }) === undefined) return null;
  const free = freeBytes(dir);
  if (free >= mib) return null;
  return `Warning: ${formatBytes(free)} free in ${dir}. On a full disk, no task starts, and the ends of running tasks are recorded later`;
}

/** A full disk makes the daemon refuse every change, so this warns before that. */
export function checkSpace(info: RuntimeInfo): Finding {
  if (statSync(info.data_dir, { throwIfNoEntry: false }) === undefined)
    return { subject: "disk", level: "bad", text: `the data directory ${info.data_dir} does not exist` };
  const free = freeBytes(info.data_dir);
  const text = `${formatBytes(free)} free in ${info.data_dir}`;
  if (free >= 1024 * mib) return { subject: "disk", level: "good", text };
  const fix = "Free some space: on a full disk, the daemon rejects every change";
  return { subject: "disk", level: free < 100 * mib ? "bad" : "warn", text: `${text}. ${fix}` };
}

function freeBytes(dir: string): number {
  const { bavail, bsize } = statfsSync(dir);
  return bavail * bsize;
}
