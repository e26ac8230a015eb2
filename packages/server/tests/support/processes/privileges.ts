import { tempDir } from "@belfry/test-kit";
import { execFile, execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A user who is not root, and owns nothing here. */
export const stranger = 65_534;

/** Whether a test can run Node as that user: the test must be root, and everyone must be able to reach Node. */
export const canRunAsStranger = ((): boolean => {
  try {
    const words = [`--reuid=${stranger}`, `--regid=${stranger}`, "--clear-groups", process.execPath, "--version"];
    execFileSync("setpriv", words, { cwd: "/", stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

/** Whether a test can start programs in a user namespace with mounts and limits of its own; most containers forbid it. */
export const canUnshare = ((): boolean => {
  try {
    execFileSync("unshare", ["-Urm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

/** Whether a test can mount disks beside the others; most containers forbid it. */
export const canMount = await (async (): Promise<boolean> => {
  await using disk = await mountSmallDisk(64);
  return disk !== null;
})();

/**
 * Mounts a disk of the given size, and removes it at the end of the scope. Null if mounting is not allowed, as in most
 * containers.
 */
export async function mountSmallDisk(kilobytes: number): Promise<(AsyncDisposable & { readonly path: string }) | null> {
  const dir = await tempDir("bd-");
  try {
    await run("mount", ["-t", "tmpfs", "-o", `size=${kilobytes}k,mode=700`, "tmpfs", dir.path]);
  } catch {
    await dir[Symbol.asyncDispose]();
    return null;
  }
  return {
    path: dir.path,
    [Symbol.asyncDispose]: async () => {
      await run("umount", ["-l", dir.path]);
      await dir[Symbol.asyncDispose]();
    },
  };
}

/** Writes until the disk is full. */
export function fillDisk(folder: string): void {
  for (let bytes = 1024 * 1024, part = 0; bytes >= 1; part++) {
    try {
      writeFileSync(join(folder, `filler-${part}`), Buffer.alloc(bytes));
    } catch {
      bytes = Math.floor(bytes / 4);
    }
  }
}
