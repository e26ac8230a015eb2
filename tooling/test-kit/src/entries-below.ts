import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Lists everything below a directory. Skips directories that disappear meanwhile, at which `readdir` itself fails. */
export async function entriesBelow(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return [];
    throw cause;
  });
  const directories = entries.filter((entry) => entry.isDirectory());
  const below = await Promise.all(directories.map(({ name }) => entriesBelow(join(folder, name))));
  return [...entries, ...below.flat()];
}

export async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await entriesBelow(folder);
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
