import { tempDir, until } from "@belfry/test-kit";
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { open, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { fixtures } from "@belfry/webhook-schema/testing";
import { Command } from "commander";
import { expect, test } from "vitest";
import { endRunners, startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { commandList } from "../src/command-list.ts";
import { damageTable } from "../../../packages/server/tests/support/damage.ts";
import { useCommand } from "./bundled.ts";

const { program, start, run } = useCommand();

test("a daemon that was given its place offers commands that find it", async () => {
  await using dir = await tempDir();
  const place = join(dir.path, "it's here");
  try {
    await using daemon = start(["daemon", "run", "--data-dir", place], dir.path);
    await until("the daemon", () => existsSync(join(place, "daemon.json")));
    expect((await run(["daemon", "stop", "--data-dir", place], dir.path)).code).toBe(0);
    const { stdout } = await daemon.ended();
    const quoted = `'${place.replace("'", String.raw`'\''`)}'`;
    expect(stdout).toContain(`  belfry --data-dir ${quoted} task add "Say hello"`);
    expect(stdout).toContain(`  crontab -l | belfry --data-dir ${quoted} import crontab - --dry-run`);
    expect(stdout).not.toContain("./belfry");
  } finally {
    await endRunners(place);
  }
});

test("doctor says when a daemon was killed before, and what was lost", async () => {
  await using dir = await tempDir();
  const started = () => until("the daemon", async () => (await run(["daemon", "status"], dir.path)).code === 0);
  try {
    {
      await using daemon = start(["daemon", "run"], dir.path);
      await started();
      expect((await run(["doctor"], dir.path)).stdout).not.toMatch(/former|is installed/);
      daemon.child.kill("SIGKILL");
      await daemon.ended();
    }
    await using next = start(["daemon", "run"], dir.path);
    await started();
    expect((await run(["doctor"], dir.path)).stdout).toMatch(
      /^warn\tformer\tthe former daemon, process \d+, ended without stopping, after \d{4}-.* No run and no change was lost$/m,
    );
    expect((await run(["daemon", "stop"], dir.path)).code).toBe(0);
    await next.ended();
  } finally {
    await endRunners(dir.path);
  }
});

test("output that cannot be written ends the command with one sentence", async () => {
  await using full = await open("/dev/full", "w");
  const child = spawn(process.execPath, [...program, "--help"], { stdio: ["ignore", full.fd, "pipe"] });
  let stderr = "";
  child.stderr!.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const [code] = (await once(child, "close")) as [number | null];
  expect([code, stderr]).toEqual([
    1,
    "belfry: the output could not be written: no space left on device. The part before may be incomplete\n",
  ]);
});

test("every option of every command reaches the command, and none is taken by Node", async () => {
  const names = new Set<string>();
  for (const entry of commandList)
    for (const command of "subcommands" in entry ? entry.subcommands : [entry]) {
      const parser = new Command();
      (await command.load()).command.describe(parser);
      for (const { long } of parser.options) if (long !== undefined && long !== null) names.add(long);
    }
  expect(names.size).toBeGreaterThan(100);
  expect(names).toContain("--env-from");
  // Node reads its own options wherever they are, and fails for the file that they name
  const words = [...names].flatMap((name) => [name, "/nonexistent"]);
  expect(await run(["--version", ...words], "/nonexistent")).toMatchObject({ code: 0, stderr: "" });
  expect((await run(["--version", "--env-file", "/nonexistent"], "/nonexistent")).code).toBe(9);
});

test("an option of Node after the script of a checkout is one that the command does not know", async () => {
  const path = join(import.meta.dirname, "../../../belfry");
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"]}` };
  const called = (...words: readonly string[]) =>
    promisify(execFile)(path, words, { env }).catch((error: unknown) => error as { code: number; stderr: string });
  expect(await called("task", "add", "e3", "--env-file", "/no/file", "--", "env")).toMatchObject({
    code: 2,
    stderr: "belfry: unknown option '--env-file'\nDid you mean --env-from?\n",
  });
  // the file exists, but Node must not read it
  expect(await called("task", "add", "e3", `--env-file=${import.meta.filename}`, "--", "env")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("unknown option '--env-file="),
  });
  expect(await called("--version")).toMatchObject({ stderr: "", stdout: expect.stringMatching(/^belfry \d/) });
});

test("on an older Node, the command says which version it needs", async () => {
  const older = `data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"20.1.0"}})`;
  const list = (...options: readonly string[]) =>
    promisify(execFile)(process.execPath, ["--import", older, ...program, "task", "list", ...options]).catch(
      (error: unknown) => error,
    );
  const message = `the command needs Node 24 or newer, but ${process.execPath} is Node 20.1.0: run it with a newer Node`;
  expect(await list()).toMatchObject({ code: 1, stdout: "", stderr: `belfry: ${message}\n` });
  const { code, stderr } = (await list("--json")) as { readonly code: number; readonly stderr: string };
  expect(JSON.parse(stderr)).toEqual({ error: { code: "failed", field: null, message, exit_code: code } });
});

const systemNode = "/usr/bin/node";
const systemVersion = existsSync(systemNode)
  ? execFileSync(systemNode, ["--version"], { encoding: "utf8" }).trim()
  : "";
const isOlder = systemVersion !== "" && Number(/^v(\d+)/.exec(systemVersion)?.[1]) < 24;

test.runIf(isOlder)("the system's Node, if it is older, runs the command to the same sentence", async () => {
  const outcome = await promisify(execFile)(systemNode, [program.at(-1)!, "task", "list"]).catch(
    (error: unknown) => error,
  );
  expect(outcome).toMatchObject({
    code: 1,
    stdout: "",
    stderr: `belfry: the command needs Node 24 or newer, but ${systemNode} is Node ${systemVersion.slice(1)}: run it with a newer Node\n`,
  });
});

test("status --watch prints each change by the event stream, until it is interrupted", async () => {
  await using daemon = await startDaemon();
  await using watching = start(["status", "--watch", "--json"], daemon.dataDir);
  const states = (): readonly string[] =>
    watching.written.stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const { running, failed } = JSON.parse(line);
        return `${running.length} ${failed.length}`;
      });
  await until("the first status", () => states().at(-1) === "0 0");
  await run(["task", "add", "Long", "--", "sleep", "600"], daemon.dataDir);
  await run(["task", "run", "Long"], daemon.dataDir);
  await until("the run", () => states().at(-1) === "1 0");
  await run(["task", "add", "Bad", "--", "false"], daemon.dataDir);
  await run(["task", "run", "Bad", "--wait"], daemon.dataDir);
  await until("the failure", () => states().at(-1) === "1 1");
  watching.child.kill("SIGINT");
  expect(await watching.ended()).toMatchObject({ code: 0, stderr: "" });
});

test("a daemon continues after its stdout is closed", async () => {
  await using dir = await tempDir();
  const words = ["-c", `exec "$@" > >(exec head -n 1)`, "belfry", process.execPath, ...program, "daemon", "run"];
  const child = spawn("bash", words, {
    env: { ...process.env, BELFRY_DATA_DIR: dir.path },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let seen = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (seen += text));
  const readerEnded = once(child.stdout, "close");
  const ended = once(child, "exit");
  try {
    await until("the daemon", () => existsSync(join(dir.path, "daemon.json")));
    await readerEnded;
    expect(seen.split("\n")).toHaveLength(2);
    // each run writes a line to the closed pipe
    await run(["task", "add", "Short", "--", "true"], dir.path);
    for (let time = 0; time < 3; time++)
      expect(await run(["task", "run", "Short", "--wait"], dir.path)).toMatchObject({ code: 0 });
    expect((await run(["daemon", "status"], dir.path)).code).toBe(0);
    expect(await run(["daemon", "stop"], dir.path)).toMatchObject({ code: 0, stdout: "The daemon has stopped\n" });
    expect(await ended).toEqual([0, null]);
  } finally {
    child.kill("SIGKILL");
    await ended;
    await endRunners(dir.path);
  }
});

test("an invalid daemon option gives the command the daemon's exit code", async () => {
  await using dir = await tempDir();
  const { code, stderr } = await run(["daemon", "run", "--config", join(dir.path, "nothing.toml")], dir.path);
  expect([code, stderr]).toMatchObject([2, expect.stringContaining("nothing.toml")]);
});

test("a closed pipe is not a failure", async () => {
  await using daemon = await startDaemon();
  await run(["task", "add", "Many", "--shell", "seq 200000"], daemon.dataDir);
  await run(["task", "run", "Many", "--wait"], daemon.dataDir);
  const shell = promisify(execFile)(
    "bash",
    ["-c", `set -o pipefail; "$@" | head -n 1`, "belfry", process.execPath, ...program, "run", "logs", "Many"],
    {
      env: { ...process.env, BELFRY_DATA_DIR: daemon.dataDir },
    },
  );
  expect(await shell).toEqual({ stdout: "1\n", stderr: "" });
});

test("a pipe that is closed early does not keep a command from changing what it was told to", async () => {
  await using daemon = await startDaemon();
  const names = ["A", "B", "C", "D"];
  for (const name of names) await run(["task", "add", name, "--", "true"], daemon.dataDir);
  const words = [process.execPath, ...program, "task", "disable", ...names];
  const env = { ...process.env, BELFRY_DATA_DIR: daemon.dataDir };
  const shell = promisify(execFile)("sh", ["-c", '"$@" | head -n 1', "belfry", ...words], { env });
  expect(await shell).toEqual({ stdout: 'Disabled task "A"\n', stderr: "" });
  const { tasks } = JSON.parse((await run(["task", "list", "--json"], daemon.dataDir)).stdout) as {
    readonly tasks: readonly { readonly enabled: boolean }[];
  };
  expect(tasks.map(({ enabled }) => enabled)).toEqual([false, false, false, false]);
});

test("a closed standard error changes nothing about the exit code", async () => {
  await using daemon = await startDaemon();
  await using call = start(["task", "show", "nope"], daemon.dataDir);
  call.child.stderr.destroy();
  expect((await call.ended()).code).toBe(3);
});

test("Ctrl-C while a task is edited is left to the editor, and what it saves is applied", async () => {
  await using daemon = await startDaemon();
  await using dir = await tempDir();
  await run(["task", "add", "Deploy", "--", "true"], daemon.dataDir);
  const editor = join(dir.path, "editor");
  const [begun, go] = [join(dir.path, "begun"), join(dir.path, "go")];
  const script = `#!/bin/sh
: > ${begun}; until [ -e ${go} ]; do sleep 0.05; done
sed -i 's/"priority": 0/"priority": 7/' "$1"
`;
  await writeFile(editor, script, { mode: 0o755 });
  await using call = start(["task", "edit", "Deploy"], daemon.dataDir, { EDITOR: editor });
  await until("the editor", () => existsSync(begun));
  call.child.kill("SIGINT");
  await writeFile(go, "");
  expect(await call.ended()).toMatchObject({ code: 0, stdout: 'Changed task "Deploy"\n' });
  const { stdout } = await run(["task", "show", "Deploy", "--json"], daemon.dataDir);
  expect(JSON.parse(stdout)).toMatchObject({ priority: 7 });
});

test("Ctrl-C does not cancel a run, and the message says how to cancel it", async () => {
  await using daemon = await startDaemon();
  await run(["task", "add", "Long", "--shell", "echo begun; exec sleep 600"], daemon.dataDir);
  await using call = start(["task", "run", "Long", "--follow"], daemon.dataDir);
  await until("its output", () => call.written.stdout === "begun\n");
  call.child.kill("SIGINT");
  expect(await call.ended()).toMatchObject({
    code: 130,
    stderr: expect.stringMatching(/The run continues\. Cancel it with: belfry run cancel run_/),
  });
  expect(await run(["run", "cancel", "Long", "--wait"], daemon.dataDir)).toMatchObject({ code: 0 });
});

test("Ctrl-C stops the events without an error", async () => {
  await using daemon = await startDaemon();
  await using call = start(["events", "--json"], daemon.dataDir);
  await until("the first event", () => call.written.stdout.includes("\n"));
  call.child.kill("SIGINT");
  expect(await call.ended()).toMatchObject({ code: 0, stderr: "" });
});

test("the bundle behaves like the source, although it contains only parts of fetch", async () => {
  await using daemon = await startDaemon();
  const call = (...words: readonly string[]) => run(words, daemon.dataDir);
  expect(await call("--version")).toMatchObject({ code: 0, stdout: expect.stringMatching(/^belfry \d/) });
  expect(
    await call("task", "add", "Both", "--every", "1h", "--shell", "echo err >&2; exit 3", "--description", "ä"),
  ).toMatchObject({ code: 0, stderr: "" });
  expect(await call("task", "run", "Both", "--follow")).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^err\n/),
  });
  expect(JSON.parse((await call("task", "list", "--json")).stdout)).toMatchObject({ tasks: [{ description: "ä" }] });
  expect(await call("task", "show", "Bot")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('Did you mean "Both"?'),
  });
  expect(await call("task", "add", "Both", "--", "true")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("name"),
  });
  const exported = await call("audit", "export", "--all", "--operation", "import.create", "--result", "allowed");
  expect(exported).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(exported.stdout)).toMatchObject({ operation: "import.create", result: "allowed" });
});

test("only the two webhook commands load the code that checks and builds webhooks", async () => {
  await using dir = await tempDir();
  await using daemon = await startDaemon();
  // records the URL of each file that a process loads, one per line
  const recorder = join(dir.path, "record.mjs");
  await writeFile(
    recorder,
    `import { appendFileSync } from "node:fs";
    import { registerHooks } from "node:module";
    registerHooks({ load: (url, context, next) => {
      if (url.startsWith("file:")) appendFileSync(process.env.RECORD, url + "\\n");
      return next(url, context);
    } });`,
  );
  const loads = async (...words: readonly string[]) => {
    const record = join(dir.path, words.join("-"));
    const env = { ...process.env, BELFRY_DATA_DIR: daemon.dataDir, RECORD: record };
    await promisify(execFile)(process.execPath, ["--import", recorder, ...program, ...words], { env });
    const files = readFileSync(record, "utf8").trim().split("\n");
    const code = files.map((url) => readFileSync(new URL(url), "utf8")).join("\n");
    return {
      checks: code.includes("Content-Type must be application/json."),
      examples: code.includes(fixtures.success.delivery.id),
    };
  };
  const nothing = { checks: false, examples: false };
  expect(await loads("--help")).toEqual(nothing);
  expect(await loads("webhook", "--help")).toEqual(nothing);
  expect(await loads("task", "list")).toEqual(nothing);
  expect(await loads("delivery", "list")).toEqual(nothing);
  expect(await loads("webhook", "listen", "--help")).toEqual({ checks: true, examples: false });
  expect(await loads("webhook", "send", "--help")).toEqual({ checks: true, examples: true });
});

test("the whole database is checked with and without a running daemon, and corruption is reported by table", async () => {
  await using dir = await tempDir();
  try {
    {
      await using daemon = start(["daemon", "run", "--log-level", "error"], dir.path);
      await until("the daemon", () => existsSync(join(dir.path, "daemon.json")));
      const sound = await run(["doctor", "--database"], dir.path);
      expect(sound.stderr).toBe("");
      expect(sound).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/ok\tdatabase\t\d+ tables, no corruption found/),
      });
      await run(["daemon", "stop"], dir.path);
      await daemon.ended();
    }
    await damageTable(dir.path, "triggers");
    const alone = await run(["doctor", "--database"], dir.path);
    expect(alone).toMatchObject({ code: 1, stdout: expect.stringMatching(/ERROR\tdatabase\ttable triggers: /) });

    await using next = start(["daemon", "run", "--log-level", "error"], dir.path);
    await until("the next daemon", () => existsSync(join(dir.path, "daemon.json")));
    expect(await run(["doctor", "--database"], dir.path)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/ok\tdaemon[^]*ERROR\tdatabase\ttable triggers: /),
    });
    await run(["daemon", "stop"], dir.path);
    await next.ended();
    expect((await run(["doctor"], dir.path)).code).toBe(4);
  } finally {
    await endRunners(dir.path);
  }
});

test("doctor reports a file that was removed from the daemon", async () => {
  await using daemon = await startDaemon();
  const database = join(daemon.dataDir, "belfry.db");
  expect(await run(["doctor"], daemon.dataDir)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/ok\tfiles/),
  });
  await rename(database, `${database}.aside`);
  await until("it is noticed", async () => (await run(["doctor"], daemon.dataDir)).stdout.includes("was removed"));
  expect(await run(["doctor"], daemon.dataDir)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/ERROR\tfiles\t\S+belfry\.db: the database was removed/),
  });
  await rename(`${database}.aside`, database);
});
