#!/usr/bin/env node

// An older Node lacks functions that the command needs: nothing else is imported before this check.
const major = Number(process.versions.node.split(".")[0]);
if (major < 24) {
  process.stderr.write(
    `belfry: the command needs Node 24 or newer, but ${process.execPath} is Node ${process.versions.node}: run it with a newer Node\n`,
  );
  process.exitCode = 1;
} else {
  const { runProcess } = await import("./run-process.ts");
  await runProcess();
}
