#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";

// better-sqlite3 crashes on an older Node with no word of why: nothing that loads it is imported before this check.
const major = Number(process.versions.node.split(".")[0]);
if (major < 24) {
  process.stderr.write(`belfryd: needs Node 24 or newer, and this is ${process.versions.node} (${process.execPath})\n`);
  process.exitCode = 1;
} else {
  // V8 makes room for what is new as soon as much of it lives on, as with a thousand requests on their way, and never takes
  // it back: 48 MB, for nothing that can be measured
  setFlagsFromString("--semi-space-growth-factor=1");
  const { runDaemon } = await import("./run-daemon.ts");
  process.exitCode = await runDaemon(process.argv.slice(2));
}
