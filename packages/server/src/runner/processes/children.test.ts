import { tempDir } from "@belfry/test-kit";
import { closeSync, openSync, readFileSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Exit, startChild } from "./children.ts";
import type { Command } from "./spawn.ts";

/** Runs a command and returns how it ended, with its output. */
async function run(command: Pick<Command, "program"> & Partial<Command>): Promise<Exit & { readonly output: string }> {
  await using dir = await tempDir();
  const path = join(dir.path, "output");
  const file = openSync(path, "w");
  try {
    const files = [null, file, file] as const;
    const { exited } = startChild({ arguments: [], environment: {}, directory: dir.path, files, ...command });
    return { ...(await exited), output: readFileSync(path, "utf8") };
  } finally {
    closeSync(file);
  }
}

const script = (text: string): Pick<Command, "program" | "arguments"> => ({
  program: "/bin/sh",
  arguments: ["-c", text],
});

test("exit codes and signals are exact", async () => {
  expect(await run(script("exit 0"))).toMatchObject({ exitCode: 0, signal: null });
  expect(await run(script("exit 255"))).toMatchObject({ exitCode: 255, signal: null });
  expect(await run(script("kill -TERM $$"))).toMatchObject({ exitCode: null, signal: "SIGTERM" });
  expect(await run(script("kill -40 $$"))).toMatchObject({ exitCode: null, signal: "SIG40" });
});

test("100 children that end together all report their own end", async () => {
  const codes = Array.from({ length: 100 }, (_, code) => code);
  const exits = await Promise.all(codes.map((code) => run(script(`exit ${code}`))));
  expect(exits.map(({ exitCode }) => exitCode)).toEqual(codes);
});

test("a child leads a session of its own, with its directory, its environment and an empty standard input alone", async () => {
  await using dir = await tempDir();
  const { output } = await run({
    ...script('cat; pwd; env | grep -v ^_; [ "$(cut -d" " -f6 /proc/$$/stat)" = $$ ] && echo leader'),
    environment: { PATH: "/usr/bin:/bin", A: "1", B: "two words\nand lines ✓" },
    directory: dir.path,
  });
  const [directory, ...rest] = output.trimEnd().split("\n");
  expect(directory).toBe(dir.path);
  expect(rest.at(-1)).toBe("leader");
  expect(
    rest
      .slice(0, -1)
      .filter((line) => !line.startsWith("PWD="))
      .sort(),
  ).toEqual(["PATH=/usr/bin:/bin", "A=1", "B=two words", "and lines ✓"].sort());
});

test("a child ignores and blocks no signal, whatever this process does", async () => {
  const ignore = (): void => {};
  process.on("SIGUSR2", ignore);
  try {
    // a shell blocks signals while it waits for a child
    const { output } = await run(script("exec grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status"));
    expect(output.match(/^Sig(?:Blk|Ign):\t0+$/gm)).toHaveLength(2);
  } finally {
    process.off("SIGUSR2", ignore);
  }
});

test("a name is searched in the command's own PATH, past directories and files that cannot be executed", async () => {
  await using dir = await tempDir();
  for (const name of ["plain", "good"]) await mkdir(join(dir.path, name));
  await writeFile(join(dir.path, "plain", "mine"), "");
  await writeFile(join(dir.path, "good", "mine"), "#!/bin/sh\necho mine $1\n");
  await chmod(join(dir.path, "good", "mine"), 0o700);
  const environment = { PATH: `${dir.path}/missing:/dev/null:${dir.path}/plain:${dir.path}/good` };
  expect((await run({ program: "mine", arguments: ["a b"], environment })).output).toBe("mine a b\n");
  await expect(run({ program: "mine", environment: { PATH: `${dir.path}/plain:${dir.path}` } })).rejects.toMatchObject({
    code: "EACCES",
  });
  await expect(run({ program: "mine", environment: { PATH: dir.path } })).rejects.toMatchObject({ code: "ENOENT" });
  // without PATH, the system's directories
  expect(await run({ program: "true" })).toMatchObject({ exitCode: 0 });
  // an empty entry is the working directory
  const here = { environment: { PATH: ":/bin" }, directory: join(dir.path, "good") };
  expect((await run({ program: "mine", ...here })).output).toBe("mine\n");
  expect((await run({ program: "./mine", ...here })).output).toBe("mine\n");
});

test("a script without an interpreter line is run by /bin/sh", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "script");
  await writeFile(path, 'echo "$0" "$1"\n', { mode: 0o700 });
  expect((await run({ program: path, arguments: ["a b"] })).output).toBe(`${path} a b\n`);
});

test.each<readonly [what: string, command: Pick<Command, "program"> & Partial<Command>, code: string]>([
  ["a missing program", { program: "/nowhere/at/all" }, "ENOENT"],
  ["a missing directory", { program: "/bin/true", directory: "/nowhere/at/all" }, "ENOENT"],
  ["a directory as a program", { program: "/tmp" }, "EACCES"],
  ["a file on the way", { program: "/dev/null/x" }, "ENOTDIR"],
  ["an empty name", { program: "" }, "ENOENT"],
  ["too long a name", { program: `/${"a".repeat(300)}` }, "ENAMETOOLONG"],
  ["arguments beyond the system's limit", { program: "/bin/true", arguments: ["a".repeat(200_000)] }, "E2BIG"],
  ["a NUL character", { program: "/bin/true", arguments: ["a\0b"] }, "EINVAL"],
])("%s is refused by the system's error", async (_, command, code) => {
  await expect(run(command)).rejects.toMatchObject({ code });
});
