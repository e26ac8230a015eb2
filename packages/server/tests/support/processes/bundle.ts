import { tempDir } from "@belfry/test-kit";
import { execFile } from "node:child_process";
import { chmod, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const packageDir = fileURLToPath(new URL("../../../", import.meta.url));

/** The daemon as it is shipped, bundled from this source into its own folder: it starts in a fraction of the time. */
export async function bundleDaemon(): Promise<AsyncDisposable & { readonly belfryd: string }> {
  const dir = await tempDir("bb-");
  // another user may run the bundle
  await chmod(dir.path, 0o755);
  for (const name of ["node_modules", "package.json", "drizzle"])
    await symlink(join(packageDir, name), join(dir.path, name));
  const out = join(dir.path, "dist", "bundle");
  await promisify(execFile)(process.execPath, ["bundle.ts", out], { cwd: packageDir });
  return {
    belfryd: join(out, "belfryd.js"),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}
