import { lstatSync } from "node:fs";
import { link, open, rename } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { usage } from "./failure.ts";

/** Requires that no file has the name. A symbolic link takes the name too, even if it leads nowhere. */
export function requireFree(target: string): void {
  let found;
  try {
    found = lstatSync(target, { throwIfNoEntry: false });
  } catch (error) {
    throw usage(explainRefusal(error, target));
  }
  if (found !== undefined) throw taken(target);
}

/** Gives the complete file its name. A link fails if the name is taken, which a rename does not. */
export async function publish(unfinished: string, target: string): Promise<void> {
  try {
    await link(unfinished, target);
  } catch (error) {
    if (isTaken(error)) throw taken(target);
    // some file systems have no links: an empty file takes the name first
    await reserve(target);
    await rename(unfinished, target);
  }
}

async function reserve(target: string): Promise<void> {
  try {
    await (await open(target, "wx", 0o600)).close();
  } catch (error) {
    throw isTaken(error) ? taken(target) : error;
  }
}

function isTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "EEXIST";
}

function taken(target: string): Error {
  return usage(
    `${JSON.stringify(basename(target))} exists already`,
    "Choose another name: the command replaces no file",
  );
}

/** Names the directory, because the name of the unfinished file means nothing to a person. */
export function explainRefusal(error: unknown, path: string): string {
  const { code } = error as NodeJS.ErrnoException;
  const folder = dirname(resolve(path));
  if (code === "ENOENT" || code === "ENOTDIR")
    return `cannot write ${path}: there is no directory ${folder}. Create it, or choose another one`;
  if (code === "EACCES" || code === "EPERM")
    return `cannot write ${path}: you have no permission to write in ${folder}. Choose another directory`;
  return `cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`;
}
