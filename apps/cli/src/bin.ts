#!/usr/bin/env node
import type { Host } from "./host.ts";

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
  get askSecret() {
    if (!process.stdin.isTTY) return null;
    return async (question: string) => (await import("./input/ask-secret.ts")).askSecret(question);
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
