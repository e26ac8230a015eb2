import { tempDir } from "@belfry/test-kit";
import { build, type BuildOptions } from "esbuild";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const packageDir = fileURLToPath(new URL("../../", import.meta.url));

/** The daemon as it is shipped, made from this source into a place of its own: it starts in a fraction of the time. */
export async function bundleDaemon(): Promise<AsyncDisposable & { readonly belfryd: string; readonly runner: string }> {
  const dir = await tempDir("bb-");
  for (const name of ["node_modules", "package.json", "drizzle"])
    await symlink(join(packageDir, name), join(dir.path, name));
  const out = join(dir.path, "dist", "bundle");
  const shared = {
    absWorkingDir: packageDir,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    conditions: ["@belfry/source"],
    external: ["better-sqlite3"],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  } satisfies BuildOptions;
  await Promise.all([
    build({ ...shared, entryPoints: { belfryd: "src/bin.ts" }, outdir: out, splitting: true }),
    build({ ...shared, entryPoints: ["src/runner/main.ts"], outfile: join(out, "runner.js") }),
  ]);
  return {
    belfryd: join(out, "belfryd.js"),
    runner: join(out, "runner.js"),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}
