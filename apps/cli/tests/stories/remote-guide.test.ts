import { tempDir, until } from "@belfry/test-kit";
import { execFile, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endRunners } from "../../../../packages/server/tests/support/harness.ts";
import { freePlace } from "../../../../packages/server/tests/support/ports.ts";

const cli = join(import.meta.dirname, "..", "..");
// inside the package, because the command finds the daemon relative to its own files
const bundle = join(cli, "dist", `test-guide-${process.pid}`);

beforeAll(() => promisify(execFile)(process.execPath, ["bundle.ts", bundle], { cwd: cli }));
afterAll(() => rm(bundle, { recursive: true, force: true }));

interface Step {
  readonly isOnDaemonsMachine: boolean;
  readonly line: string;
}

/** The commands of the numbered sections of the guide, each with the machine that the text before it names. */
function readGuide(): readonly Step[] {
  const guide = readFileSync(join(cli, "..", "..", "docs", "remote.md"), "utf8").split("\n## Profiles\n")[0]!;
  let isOnDaemonsMachine = false;
  return guide.split("```").flatMap((part, index) => {
    if (index % 2 === 1)
      return part
        .replace(/^sh\n/, "")
        .trim()
        .split("\n")
        .map((line) => ({ isOnDaemonsMachine, line }));
    const [last] = part.match(/[Oo]n (?:the daemon's|your) machine/g)?.slice(-1) ?? [];
    if (last !== undefined) isOnDaemonsMachine = last.includes("daemon");
    return [];
  });
}

/** A machine with a clean home directory, on which a shell runs the command. */
async function newMachine(name: string) {
  const home = await tempDir(`${name}-`);
  const bin = join(home.path, "bin");
  await mkdir(bin);
  const program = `exec ${process.execPath} --conditions=@belfry/source ${join(bundle, "belfry.js")} "$@"\n`;
  await writeFile(join(bin, "belfry"), `#!/bin/sh\n${program}`);
  await chmod(join(bin, "belfry"), 0o755);
  const environment = { HOME: home.path, PATH: `${bin}:/usr/bin:/bin` };
  const start = (line: string, { stdin = "", more = {} }: { stdin?: string; more?: Record<string, string> } = {}) => {
    const child = spawn("sh", ["-c", `exec ${line}`], { env: { ...environment, ...more } });
    const written = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"] as const)
      child[stream].setEncoding("utf8").on("data", (text: string) => (written[stream] += text));
    child.stdin.end(stdin);
    const code = new Promise<number | null>((resolve) => child.on("close", resolve));
    return {
      written,
      end: async () => ({ code: await code, ...written }),
      [Symbol.asyncDispose]: async () => {
        child.kill("SIGTERM");
        await code;
      },
    };
  };
  return { home: home.path, start, [Symbol.asyncDispose]: () => home[Symbol.asyncDispose]() };
}

test("the guide works when it is followed word by word in two clean directories", async () => {
  await using build = await newMachine("build");
  await using laptop = await newMachine("laptop");
  const dataDir = join(build.home, "data");
  const onBuild = { more: { BELFRY_DATA_DIR: dataDir } };
  await mkdir(dataDir);
  await writeFile(join(dataDir, "config.toml"), `[remote]\nport = ${(await freePlace()).port}\n`);
  await using daemon = build.start("belfry daemon run", onBuild);
  await until("the daemon", () => existsSync(join(dataDir, "daemon.json")));
  const goOn = join(build.home, "go-on");
  const script = `echo first; while ! test -e ${goOn}; do sleep 0.05; done; echo last`;
  expect((await build.start(`belfry task add "Nightly backup" --shell '${script}'`, onBuild).end()).code).toBe(0);

  const steps = readGuide().map((step) => ({ ...step, line: step.line.replaceAll("build.example.org", "localhost") }));
  const ran: string[] = [];
  /** Starts the next command of the guide, which must begin with these words. */
  const follow = (beginning: string, { stdin = "", invitation = "" } = {}) => {
    const step = steps[ran.length]!;
    ran.push(step.line);
    expect(step.line).toMatch(new RegExp(`^belfry ${beginning}`));
    return step.isOnDaemonsMachine
      ? build.start(step.line, onBuild)
      : laptop.start(step.line.replace("bfi1.…", invitation), { stdin });
  };
  const succeed = async (...args: Parameters<typeof follow>) => {
    const ended = await follow(...args).end();
    expect({ code: ended.code, stderr: ended.code === 0 ? "" : ended.stderr }).toEqual({ code: 0, stderr: "" });
    return ended.stdout;
  };

  try {
    await succeed("remote enable");
    const paired = await succeed("pair");
    const [invitation] = /bfi1\.\S+/.exec(paired) ?? [""];
    const [, phrase = ""] = /^Phrase.*\n\n(.+)$/m.exec(paired) ?? [];
    const enrolled = await succeed("enroll", { invitation, stdin: phrase });
    expect(enrolled).toContain('as profile "build" (operate)');
    expect(await succeed("--profile build task list")).toContain("Nightly backup");

    await using run = follow("--profile build task run");
    // live: the run waits for the test
    await until("the first line of the output", () => run.written.stdout === "first\n");
    await using events = follow("--profile build events");
    await until("the event stream", () => events.written.stdout.includes("connected"));
    await writeFile(goOn, "");
    expect(await run.end()).toMatchObject({ code: 0, stdout: "first\nlast\n" });
    await until("the event of its end", () => events.written.stdout.includes("succeeded"));

    await succeed("actor revoke Laptop");
    expect(await events.end()).toMatchObject({ code: 5, stderr: expect.stringMatching(/revoked/) });
    const refused = await laptop.start("belfry --profile build task list").end();
    expect(refused).toMatchObject({ code: 5, stdout: "", stderr: expect.stringMatching(/revoked/) });
    await succeed("profile remove");
    expect((await laptop.start("belfry --profile build task list").end()).code).toBe(3);
    expect(ran).toEqual(steps.map(({ line }) => line));
  } finally {
    await daemon[Symbol.asyncDispose]();
    await endRunners(dataDir);
  }
});
