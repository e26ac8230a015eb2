#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";

// better-sqlite3 crashes on an older Node without a message: nothing that loads it is imported before this check.
const major = Number(process.versions.node.split(".")[0]);
if (major < 24) {
  process.stderr.write(
    `belfryd: the daemon needs Node 24 or newer, but ${process.execPath} is Node ${process.versions.node}: run it with a newer Node\n`,
  );
  process.exitCode = 1;
} else {
  // These two variables mark the processes of a task, which end with the task. A daemon that a task starts, as an
  // upgrade may do, must not end with it. /proc keeps showing the environment that a process was started with. So the
  // daemon executes itself again without these variables.
  const { BELFRY_RUN_ID: runId, BELFRY_ATTEMPT: attempt, ...environment } = process.env;
  if (runId !== undefined || attempt !== undefined) {
    const words = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
    process.execve?.(process.execPath, words, environment);
  }
  // keeps the young generation small: under load V8 enlarges it by 48 MB, without a measurable benefit, and never
  // shrinks it
  setFlagsFromString("--semi-space-growth-factor=1");
  const { runDaemon } = await import("./run-daemon.ts");
  // unread console output, or leftovers of a failed start, would keep the process alive. And a Node process that ends
  // without `exit` removes the socket's path, which may belong to another daemon by then.
  process.exit(await runDaemon(process.argv.slice(2)));
}
