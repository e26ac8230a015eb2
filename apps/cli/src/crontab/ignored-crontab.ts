import { lstat, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { usage } from "../failure.ts";

/** Whose a file is, and who may write to it. */
export interface Ownership {
  readonly mode: number;
  readonly uid: number;
  /** The owner of the link that leads to the file, or else of the file itself. */
  readonly linkUid: number;
}

const writableByOthers = 0o022;

/**
 * Refuses a system crontab that Debian's cron ignores: its jobs never ran, and somebody other than root may be able to change
 * them.
 */
export async function refuseIgnoredCrontab(path: string): Promise<void> {
  if (!isSystemPath(path)) return;
  const [link, { mode, uid }] = await Promise.all([lstat(path), stat(path)]);
  const reason = explainIgnored(path, { mode, uid, linkUid: link.uid });
  if (reason !== null) throw usage(`cron ignores ${path}: ${reason}`);
}

/** Returns why cron ignores the file; null if it reads it. */
export function explainIgnored(path: string, { mode, uid, linkUid }: Ownership): string | null {
  if (!isSystemPath(path)) return null;
  if (!/^[A-Za-z0-9_-]+$/.test(basename(path)))
    return "its name may only contain letters, digits, underscores and hyphens. If its jobs should run, copy the file to another folder, and import the copy";
  if (uid !== 0 || linkUid !== 0) return "it does not belong to root. Check its contents, then use chown root";
  if ((mode & writableByOthers) !== 0)
    return "users other than root can write to it. Check its contents, then use chmod go-w";
  return null;
}

/** Whether only root's cron reads the file, with a user in each job. */
export function isSystemPath(path: string): boolean {
  return path === "/etc/crontab" || dirname(path) === "/etc/cron.d";
}
