import { tempDir } from "@belfry/test-kit";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startDaemon } from "../support/harness.ts";
import { makeTask, outputOf, runOnce, startRun, untilEnd } from "../support/tasks.ts";

test("a task that cannot be started reports why, is not retried, and does not affect other tasks", async () => {
  await using place = await tempDir();
  await using daemon = await startDaemon();
  const notExecutable = join(place.path, "plain.txt");
  await writeFile(notExecutable, "echo never\n");
  await chmod(notExecutable, 0o644);
  const missing = join(place.path, "missing");
  const writeScript = async (name: string, firstLine: string) => {
    await writeFile(join(place.path, name), `${firstLine}\necho never\n`, { mode: 0o755 });
    return join(place.path, name);
  };
  const lost = await writeScript("lost", "#! /no/such/interpreter -u");
  const plain = await writeScript("plain", `#!${notExecutable}`);
  const windows = await writeScript("windows", "#!/bin/sh\r");
  const nested = await writeScript("nested", `#!${lost}`);
  const exec = (program: string, more: object = {}) => ({ command: { kind: "exec", program, arguments: [] }, ...more });
  const cases: readonly (readonly [task: object, sentence: string])[] = [
    [exec("/no/such/program"), "/no/such/program was not found (ENOENT)"],
    [exec("no-such-program-anywhere"), "no-such-program-anywhere was not found (ENOENT)"],
    [exec(notExecutable), `${notExecutable} cannot be executed or entered: permission denied (EACCES)`],
    [exec(place.path), `${place.path} cannot be executed or entered: permission denied (EACCES)`],
    [exec(lost), `the interpreter /no/such/interpreter of ${lost} was not found (ENOENT)`],
    [
      exec("lost", { environment: { PATH: `/no/such/folder:${place.path}` } }),
      `the interpreter /no/such/interpreter of ${lost} was not found (ENOENT)`,
    ],
    [
      exec(plain),
      `the interpreter ${notExecutable} of ${plain} cannot be executed or entered: permission denied (EACCES)`,
    ],
    [exec(windows), `the interpreter "/bin/sh\\r" of ${windows}, whose lines end with CR LF, was not found (ENOENT)`],
    [exec(nested), `the interpreter /no/such/interpreter of ${lost} was not found (ENOENT)`],
    [exec("true", { working_directory: missing }), `working directory ${missing} was not found (ENOENT)`],
    [
      exec("true", { working_directory: notExecutable }),
      `working directory ${notExecutable} is not a directory, or a part of its path is a file (ENOTDIR)`,
    ],
  ];
  const retry = { max_attempts: 3, delay: "0s" };
  for (const [body, sentence] of cases) {
    const run = await runOnce(daemon, ":", { ...body, retry });
    expect(run).toMatchObject({
      state: "failed",
      outcome: "failure",
      reason: "spawn_error",
      exit_code: null,
      signal: null,
      pid: null,
      attempt: 1,
    });
    expect(run.reason_text).toBe(`could not be started: ${sentence}`);
    expect(run.duration_ms).toBe(0);
  }
  expect(await runOnce(daemon, "echo fine")).toMatchObject({ state: "succeeded" });
});

test("arguments longer in total than the system allows fail the start with that reason", async () => {
  await using daemon = await startDaemon();
  // each argument is short enough by itself, and all fit into one import request
  const task = {
    key: "long",
    name: "long",
    command: { kind: "exec", program: "true", arguments: Array.from({ length: 60 }, () => "x".repeat(120_000)) },
  };
  const imported = await daemon.call("POST", "/v1/import", { tasks: [task] });
  expect(imported.status).toBe(201);
  const run = await untilEnd(daemon, await startRun(daemon, imported.json.tasks[0]));
  expect(run).toMatchObject({ state: "failed", reason: "spawn_error" });
  expect(run.reason_text).toBe(
    "could not be started: true was given more arguments and environment than the system allows (E2BIG)",
  );
  expect(await runOnce(daemon, "echo fine")).toMatchObject({ state: "succeeded" });
});

test("a script may write to /dev/stderr and /dev/stdout by name", async () => {
  await using daemon = await startDaemon();
  const run = await runOnce(daemon, "echo to stderr > /dev/stderr; echo to stdout > /dev/stdout");
  expect(run.state).toBe("succeeded");
  expect(await outputOf(daemon, run, "?stream=stderr")).toBe("to stderr\n");
  expect(await outputOf(daemon, run)).toBe("to stdout\n");
});

test("standard input arrives completely, and is empty for a task without it", async () => {
  await using daemon = await startDaemon();
  const text = "line\n".repeat(60_000);
  const fed = await makeTask(daemon, "wc -c", { standard_input: text });
  expect(await outputOf(daemon, await untilEnd(daemon, await startRun(daemon, fed)))).toBe(`${text.length}\n`);
  expect(await outputOf(daemon, await runOnce(daemon, "wc -c"))).toBe("0\n");
});

test("a task without standard input reads from /dev/null, which is empty and not a terminal", async () => {
  await using daemon = await startDaemon();
  const look = "readlink /proc/self/fd/0; cat; if [ -t 0 ]; then echo terminal; fi";
  expect(await outputOf(daemon, await runOnce(daemon, look))).toBe("/dev/null\n");
});
