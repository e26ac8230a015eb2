import { lstatSync } from "node:fs";
import { link, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { usage } from "../failure.ts";

/** A file that is not complete yet, with the process that writes it and the boot of its machine. */
const unfinishedForm = /^\.belfry-backup-(\d+)-([0-9a-f]{8})-[0-9a-f]+\.part$/;
/** How old an unfinished file of another boot must be: it may be of another machine that shares the directory. */
const foreignMaxMs = 86_400_000;

/**
 * Writes a private file that appears under its name only once it is complete and on disk. Never replaces a file. Removes
 * what commands that were killed have left beside it.
 */
export async function writeNewFile(
  path: string,
  readContent: () => Promise<AsyncIterable<Uint8Array>>,
): Promise<number> {
  const target = resolve(path);
  requireFree(target);
  const folder = dirname(target);
  const boot = await readBoot();
  await removeAbandoned(folder, boot);
  const unfinished = join(folder, `.belfry-backup-${process.pid}-${boot}-${Date.now().toString(16)}.part`);
  const file = await openNew(unfinished, path);
  let size = 0;
  try {
    for await (const piece of await readContent()) {
      await file.writeFile(piece);
      size += piece.length;
    }
    await file.sync();
    await file.close();
    await giveName(unfinished, target);
    await syncFolder(folder);
    return size;
  } finally {
    await file.close().catch(() => undefined);
    await rm(unfinished, { force: true });
  }
}

/** A symbolic link takes the name too, even if it leads nowhere. */
function requireFree(target: string): void {
  if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) throw taken(target);
}

function taken(target: string): Error {
  return usage(`${JSON.stringify(basename(target))} exists already`, "Choose another name: a backup replaces no file");
}

async function openNew(unfinished: string, path: string) {
  try {
    return await open(unfinished, "wx", 0o600);
  } catch (error) {
    throw usage(`cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A link fails if the name is taken, which a rename does not. Some file systems have no links. */
async function giveName(unfinished: string, target: string): Promise<void> {
  try {
    await link(unfinished, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw taken(target);
    requireFree(target);
    await rename(unfinished, target);
  }
}

async function removeAbandoned(folder: string, boot: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const [, pid = "", itsBoot = ""] = unfinishedForm.exec(name) ?? [];
    if (pid === "") continue;
    const path = join(folder, name);
    const ageMs = Date.now() - ((await stat(path).catch(() => null))?.mtimeMs ?? Date.now());
    if (itsBoot === boot ? !isRunning(Number(pid)) : ageMs > foreignMaxMs) await rm(path, { force: true });
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
