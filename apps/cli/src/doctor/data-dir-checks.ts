import type { RuntimeInfo } from "@belfry/client";
import { statfsSync, statSync } from "node:fs";
import { formatBytes } from "../output/time.ts";
import type { Finding } from "./finding.ts";

const mib = 1024 * 1024;

/** Files that were removed or replaced under the daemon, and that it cannot restore. An older daemon does not tell. */
export function checkFiles({ storage_faults: faults = [] }: Partial<RuntimeInfo>): readonly Finding[] {
  if (faults.length === 0) return [{ subject: "files", level: "good", text: "all are in place" }];
  return faults.map(({ path, message }) => ({ subject: "files", level: "bad", text: `${path}: ${message}` }));
}

/** Nobody else may read the data directory and what is in it. */
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
    text: `others may read ${open.join(" and ")}: chmod go-rwx ${open.join(" ")}`,
  };
}

/** A daemon whose disk is full changes nothing and says so; better to know before. */
export function checkSpace(info: RuntimeInfo): Finding {
  if (statSync(info.data_dir, { throwIfNoEntry: false }) === undefined)
    return { subject: "disk", level: "bad", text: `there is no ${info.data_dir}` };
  const { bavail, bsize } = statfsSync(info.data_dir);
  const free = bavail * bsize;
  const text = `${formatBytes(free)} free for ${info.data_dir}`;
  return { subject: "disk", level: free < 100 * mib ? "bad" : free < 1024 * mib ? "warn" : "good", text };
}
