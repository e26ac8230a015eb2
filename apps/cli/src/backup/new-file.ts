import { type FileHandle, lstat, open, readdir, readFile, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { exitCodes } from "../exit-codes.ts";
import { Failure, usage } from "../failure.ts";
import { explainRefusal, publish, requireFree } from "../free-name.ts";

/** A file that is not complete yet, with the process that writes it and the boot of its machine. */
const unfinishedForm = /^\.belfry-backup-(\d+)-([0-9a-f]{8})-[0-9a-f]+\.part$/;
/** How old an abandoned file must be: the number of its process may be one of another container or machine. */
const abandonedAfterMs = 3_600_000;
/** Written to the disk at once: the daemon's commits may wait for the same disk. */
const bytesPerSync = 1024 * 1024;

/**
 * Writes a private file that appears under its name only once it is complete and on disk. Never replaces a file. Removes
 * unfinished files beside it that killed commands of this user have left.
 */
export async function writeNewFile(
  path: string,
  readContent: () => Promise<AsyncIterable<Uint8Array>>,
): Promise<number> {
  const target = resolve(path);
  if (path === "-") throw usage("a backup is written to a file, not to standard output", "Give the name of a new file");
  requireFree(target);
  const folder = dirname(target);
  const boot = await readBoot();
  await removeAbandoned(folder, boot);
  const unfinished = join(folder, `.belfry-backup-${process.pid}-${boot}-${Date.now().toString(16)}.part`);
  const file = await openNew(unfinished, path);
  let size = 0;
  let unsynced = 0;
  try {
    for await (const piece of await readContent()) {
      await onDisk(path, () => file.writeFile(piece));
      size += piece.length;
      unsynced += piece.length;
      if (unsynced < bytesPerSync) continue;
      await onDisk(path, () => file.datasync());
      unsynced = 0;
    }
    await onDisk(path, () => finish(file, { unfinished, target }));
    return size;
  } finally {
    await file.close().catch(() => undefined);
    await rm(unfinished, { force: true });
  }
}

async function finish(
  file: FileHandle,
  { unfinished, target }: { readonly unfinished: string; readonly target: string },
): Promise<void> {
  await file.sync();
  await file.close();
  await publish(unfinished, target);
  await syncFolder(dirname(target));
}

/** Explains why the target's disk refused a write. The error of an open file does not name the file. */
async function onDisk<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || !("syscall" in error)) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === "ENOSPC" || code === "EDQUOT"
        ? `the disk of ${path} is full: free some space, or choose another disk`
        : `cannot write ${path}: ${error.message}`;
    throw new Failure(exitCodes.failed, why, { hint: "No backup was written" });
  }
}

async function openNew(unfinished: string, path: string) {
  try {
    return await open(unfinished, "wx", 0o600);
  } catch (error) {
    throw usage(explainRefusal(error, path));
  }
}

/** Files of other users stay, and a file that cannot be removed prevents no backup. */
async function removeAbandoned(folder: string, boot: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const [, pid = "", itsBoot = ""] = unfinishedForm.exec(name) ?? [];
    if (pid === "" || (itsBoot === boot && isRunning(Number(pid)))) continue;
    const path = join(folder, name);
    const found = await lstat(path).catch(() => null);
    if (found?.isFile() !== true || found.uid !== process.getuid?.()) continue;
    if (Date.now() - found.mtimeMs > abandonedAfterMs) await rm(path, { force: true }).catch(() => undefined);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function readBoot(): Promise<string> {
  const id = await readFile("/proc/sys/kernel/random/boot_id", "latin1").catch(() => "");
  return /^[0-9a-f]{8}/.exec(id)?.[0] ?? "00000000";
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
