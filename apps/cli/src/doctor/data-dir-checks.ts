import type { RuntimeInfo } from "@belfry/client";
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

/** A full disk makes the daemon refuse every change, so this warns before that. */
export function checkSpace(info: RuntimeInfo): Finding {
  if (statSync(info.data_dir, { throwIfNoEntry: false }) === undefined)
    return { subject: "disk", level: "bad", text: `the data directory ${info.data_dir} does not exist` };
  const { bavail, bsize } = statfsSync(info.data_dir);
  const free = bavail * bsize;
  const text = `${formatBytes(free)} free in ${info.data_dir}`;
  if (free >= 1024 * mib) return { subject: "disk", level: "good", text };
  const fix = "Free some space: on a full disk, the daemon rejects every change";
  return { subject: "disk", level: free < 100 * mib ? "bad" : "warn", text: `${text}. ${fix}` };
}
