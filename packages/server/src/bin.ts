#!/usr/bin/env node
// better-sqlite3 crashes on an older Node with no word of why: nothing that loads it is imported before this check.
const major = Number(process.versions.node.split(".")[0]);
if (major < 24) {
  process.stderr.write(`belfryd: needs Node 24 or newer, and this is ${process.versions.node} (${process.execPath})\n`);
  process.exitCode = 1;
} else {
  const { runDaemon } = await import("./run-daemon.ts");
  process.exitCode = await runDaemon(process.argv.slice(2));
}
