import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { exitCodes } from "../exit-codes.ts";
import { Failure } from "../failure.ts";

/** The daemon's program: a package of its own that the command starts and never imports otherwise. */
export function findDaemonProgram(): string {
  try {
    const url = import.meta.resolve("@belfry/server/belfryd");
    if (existsSync(fileURLToPath(url))) return url;
  } catch {
    // not installed beside this command: said below
  }
  throw new Failure(exitCodes.failed, "the daemon's program is not here", {
    hint: "Install @belfry/server beside @belfry/cli; in a checkout, run: npx pnpm@12 run bundle",
  });
}
