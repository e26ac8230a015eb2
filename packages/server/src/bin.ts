#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";

// better-sqlite3 crashes on an older Node with no word of why: nothing that loads it is imported before this check.
const major = Number(process.versions.node.split(".")[0]);
if (major < 24) {
  process.stderr.write(`belfryd: needs Node 24 or newer, and this is ${process.versions.node} (${process.execPath})\n`);
  process.exitCode = 1;
} else {
  // A task's processes are known by these two, to be ended with it. A daemon that a task has started, an upgrade's for
  // example, is none of them; the system shows a process what it was started with, so it is started again without.
  const { BELFRY_RUN_ID: runId, BELFRY_ATTEMPT: attempt, ...environment } = process.env;
  if (runId !== undefined || attempt !== undefined) {
    const words = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
    process.execve?.(process.execPath, words, environment);
  }
  // V8 makes room for what is new as soon as much of it lives on, as with a thousand requests on their way, and never takes
  // it back: 48 MB, for nothing that can be measured
  setFlagsFromString("--semi-space-growth-factor=1");
  const { runDaemon } = await import("./run-daemon.ts");
  // at once: lines that nobody reads would keep the process, and so would whatever a failed start has left; and Node, where
  // it ends by itself, removes whatever has the name of the socket by then
  process.exit(await runDaemon(process.argv.slice(2)));
}
