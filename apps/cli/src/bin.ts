#!/usr/bin/env node

// An older Node lacks functions that the command needs: nothing else is imported before this check.
const major = Number(process.versions.node.split(".")[0]);
if (major < 24) {
  const message = `the command needs Node 24 or newer, but ${process.execPath} is Node ${process.versions.node}: run it with a newer Node`;
  // the form of every other error of the command
  const json = { error: { code: "failed", field: null, message, exit_code: 1 } };
  process.stderr.write(`${process.argv.includes("--json") ? JSON.stringify(json) : `belfry: ${message}`}\n`);
  process.exitCode = 1;
} else {
  const { runProcess } = await import("./run-process.ts");
  await runProcess();
}
