import { enableCompileCache } from "node:module";
import { basename } from "node:path";
import { getSystemErrorMessage } from "node:util";
import { exitCodes } from "./exit-codes.ts";
import type { Host } from "./host.ts";
import { systemKeychain } from "./profiles/keychain.ts";

/** Runs the command with the arguments and the streams of this process. */
export async function runProcess(): Promise<void> {
  // The cache is next to the bundle, so only users who can write the bundle can write the cache. Others run without one.
  // There is none next to sources.
  if (import.meta.filename.endsWith(".js")) enableCompileCache(`${import.meta.dirname}/compile-cache`);

  // A closed pipe, as in `belfry run list | head`, is not an error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    // such as a full disk, in `belfry run list > file`
    const reason = error.errno === undefined ? error.message : getSystemErrorMessage(error.errno);
    process.stderr.write(`belfry: the output could not be written: ${reason}. The part before may be incomplete\n`);
    process.exit(exitCodes.failed);
  });
  // whoever closed it reads nothing more, and the command must still finish its work
  process.stderr.on("error", () => {});

  const host: Host = {
    ownsProcess: true,
    // opened only by commands that read it
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    environment: process.env,
    calledAs: calledAs(),
    keychain: systemKeychain,
    now: Date.now,
    exit: (code) => process.exit(code),
    onInterrupt: (work) => {
      process.on("SIGINT", work).on("SIGTERM", work);
      return { [Symbol.dispose]: () => void process.off("SIGINT", work).off("SIGTERM", work) };
    },
  };

  const { main } = await import("./main.ts");
  const exitCode = await main(process.argv.slice(2), host);
  // `belfry daemon run` sets the exit code itself
  if (exitCode !== 0) process.exitCode = exitCode;
}

/** The name to repeat in hints. The script of a checkout passes it on, because it starts this file by another name. */
function calledAs(): string {
  const name = basename(process.argv[1] ?? "");
  return process.env["BELFRY_CALLED_AS"] || (name === "" || /\.[jt]s$/.test(name) ? "belfry" : name);
}
