import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { exitCodes } from "../exit-codes.ts";
import { Failure } from "../failure.ts";

/** Finds the daemon's program. It is a separate package, which only `belfry daemon run` imports. */
export function findDaemonProgram(): string {
  try {
    const url = import.meta.resolve("@belfry/server/belfryd");
    if (existsSync(fileURLToPath(url))) return url;
  } catch {
    // not installed: reported below
  }
  throw new Failure(
    exitCodes.failed,
    "cannot find the daemon: the package @belfry/server is not installed or not built",
    {
      hint: "Install @belfry/server next to @belfry/cli. In a checkout, run: npx pnpm@12 run bundle",
    },
  );
}

/** The version of the daemon that the next `belfry daemon run` starts. Null where no daemon is installed. */
export function readInstalledVersion(): string | null {
  try {
    const manifest = readFileSync(fileURLToPath(import.meta.resolve("@belfry/server/package.json")), "utf8");
    return (JSON.parse(manifest) as { readonly version: string }).version;
  } catch {
    return null;
  }
}
