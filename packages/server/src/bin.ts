#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";

// better-sqlite3 crashes on an older Node without a message: nothing that loads it is imported before this check.
const major = Number(process.versions.node.split(".")[0]);
if (major < 24) {
  process.stderr.write(`belfryd: needs Node 24 or newer, and this is ${process.versions.node} (${process.execPath})\n`);
  process.exitCode = 1;
} else {
  // These two variables mark the processes of a task, which are ended with it. A daemon that a task starts, as an upgrade
  // may do, is not one of them. /proc shows the environment a process was started with, so it executes itself again without.
  const { BELFRY_RUN_ID: runId, BELFRY_ATTEMPT: attempt, ...environment } = process.env;
  if (runId !== undefined || attempt !== undefined) {
    const words = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
    process.execve?.(process.execPath, words, environment);
  }
  // under load V8 enlarges its young generation and never shrinks it: 48 MB without a measurable benefit
  setFlagsFromString("--semi-space-growth-factor=1");
  const { runDaemon } = await import("./run-daemon.ts");
  // console output that nobody reads, or leftovers of a failed start, would keep the process alive; and a Node that ends by
  // itself removes the socket's path, which may belong to another daemon by then
  process.exit(await runDaemon(process.argv.slice(2)));
}
