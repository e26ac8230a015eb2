#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import type { Host } from "./host.ts";

// Beside the bundle it is made from, so that nobody may write it who may not write that; where this user may not, there is
// none. Beside sources nothing is put.
if (import.meta.filename.endsWith(".js")) enableCompileCache(`${import.meta.dirname}/compile-cache`);

// A reader that has gone, as of `belfry run list | head`, is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

const host: Host = {
  ownsProcess: true,
  // opened only by a command that reads or writes it
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  now: Date.now,
  exit: (code) => process.exit(code),
  onInterrupt: (work) => {
    process.on("SIGINT", work).on("SIGTERM", work);
    return { [Symbol.dispose]: () => void process.off("SIGINT", work).off("SIGTERM", work) };
  },
};

const { main } = await import("./main.ts");
const exitCode = await main(process.argv.slice(2), host);
// the daemon, run in this process, may have set one of its own
if (exitCode !== 0) process.exitCode = exitCode;
