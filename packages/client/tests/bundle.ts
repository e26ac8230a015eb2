import { build, type BuildOptions } from "esbuild";
import { tempDir } from "@belfry/test-kit";
import { spawn } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Bundles this package as a user's bundler does. */
export function bundle({ stdin, ...options }: BuildOptions) {
  return build({
    ...options,
    ...(stdin === undefined ? {} : { stdin: { ...stdin, resolveDir: root, loader: "ts" } }),
    absWorkingDir: root,
    alias: {
      "@belfry/client": "./src/index.ts",
      "@belfry/client/browser": "./src/browser.ts",
      "@belfry/client/local": "./src/local.ts",
      "@belfry/client/remote": "./src/remote.ts",
    },
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["@belfry/source"],
    logLevel: "silent",
  });
}

/** The environment and the user of a program. */
export interface ProgramOptions {
  readonly environment: Readonly<Record<string, string>>;
  /** Another user, if the tests run as root. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

/** Runs a program that uses this package, as a user would. Any output on standard error fails the call. */
export async function runProgram(code: string, { environment, user }: ProgramOptions): Promise<string> {
  await using dir = await tempDir();
  await chmod(dir.path, 0o755);
  const { outputFiles } = await bundle({ stdin: { contents: code }, external: ["node:*"] });
  const program = join(dir.path, "program.mjs");
  await writeFile(program, outputFiles[0]!.contents);
  const node = spawn(process.execPath, [program], {
    ...user,
    cwd: dir.path,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors] = await Promise.all([text(node.stdout), text(node.stderr)]);
  if (errors !== "") throw new Error(errors);
  return output;
}
