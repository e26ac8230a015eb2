import { chmod, chown, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { User } from "./user.ts";

/** The variable with the list of files that the run of a watcher is for. */
export const filesVariable = "BELFRY_FILES_FILE";

/** A copy of a list of files that only one other user may read. */
export interface FilesCopy {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/** Copies the list for a user who may not enter the data directory. The names of the copies cannot be listed. */
export async function copyFilesFor(user: User, from: string, to: string): Promise<FilesCopy> {
  const folder = dirname(to);
  await makePassable(dirname(dirname(folder)));
  await makePassable(dirname(folder));
  await makePassable(folder);
  const remove = (): Promise<void> => rm(to, { force: true });
  try {
    await writeFile(to, await readFile(from), { flag: "wx", mode: 0o400 });
    await chown(to, user.uid, user.gid);
  } catch (error) {
    await remove();
    throw error;
  }
  return { path: to, remove };
}

/** Makes a folder that every user may pass through, whatever the umask. */
async function makePassable(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o711 }).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  });
  const { mode } = await stat(folder);
  const passable = 0o011;
  if ((mode & passable) !== passable) await chmod(folder, (mode & 0o7777) | passable);
}

export function filesCopyPath(folder: string, attempt: string): string {
  return join(folder, attempt);
}
