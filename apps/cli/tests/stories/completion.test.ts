import { tempDir } from "@belfry/test-kit";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { startBelfry } from "../belfry.ts";
import { callBelfry } from "../call.ts";

test("commands, options and names are completed", async () => {
  await using belfry = await startBelfry();
  await belfry.text("group", "add", "Backups");
  await belfry.text("task", "add", "Nightly backup", "--group", "Backups", "--", "true");
  await belfry.text("task", "add", "Noon", "--", "true");
  const complete = async (...words: readonly string[]) =>
    (await belfry.text("__complete", "--", ...words)).split("\n").slice(0, -1);
  expect(await complete("ta")).toEqual(["task"]);
  expect(await complete("task", "re")).toEqual(["restore"]);
  expect(await complete("")).not.toContain("__complete");
  expect(await complete("task", "list", "--w")).toEqual(["--wide"]);
  expect(await complete("task", "show", "")).toEqual(["Nightly backup", "Noon"]);
  expect(await complete("task", "show", "nigh")).toEqual(["Nightly backup"]);
  for (const typed of [String.raw`Nightly\ b`, '"Nightly b', "'Nightly b"])
    expect(await complete("run", "logs", typed)).toEqual(["Nightly backup"]);
  expect(await complete("task", "rm", "Noon", "Ni")).toEqual(["Nightly backup"]);
  expect(await complete("task", "list", "--group", "b")).toEqual(["Backups"]);
  expect(await complete("task", "add", "x", "--", "t")).toEqual([]);
  expect(await complete("nope", "x")).toEqual([]);
  expect(await complete("completion", "")).toEqual(["bash", "zsh", "fish"]);
  expect(await complete("help", "task", "re")).toEqual(["restore"]);
  expect(await complete("task", "help", "re")).toEqual(["restore"]);
});

test("the values of options and the names of schedules are completed", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Noon", "--cron", "0 12 * * *", "--", "true");
  const complete = async (...words: readonly string[]) =>
    (await belfry.text("__complete", "--", ...words)).split("\n").slice(0, -1);
  expect(await complete("task", "add", "x", "--on-conflict", "")).toEqual(["queue", "skip", "replace"]);
  expect(await complete("task", "add", "x", "--on-conflict", "re")).toEqual(["replace"]);
  expect(await complete("task", "add", "x", "--on-conflict=re")).toEqual(["--on-conflict=replace"]);
  expect(await complete("schedule", "edit", "x", "--missed", "run_")).toEqual(["run_once", "run_all"]);
  expect(await complete("run", "list", "--trigger", "sch")).toEqual(["schedule"]);
  expect(await complete("task", "list", "--columns", "name,la")).toEqual(["name,last", "name,last-time"]);
  expect(await complete("task", "add", "x", "--timeout", "")).toEqual([]);
  for (const verb of ["show", "pause", "resume", "edit", "delete", "preview"])
    expect(await complete("schedule", verb, "")).toEqual(["0 12 * * *", "Noon"]);
  expect(await complete("--json", "--profile", "local", "schedule", "pa")).toEqual(["pause"]);
});

test("a name that several tasks have is completed to their paths, and a typed path to itself", async () => {
  await using belfry = await startBelfry();
  await belfry.text("group", "add", "Nightly");
  const add = (...words: readonly string[]) => belfry.text("task", "add", ...words, "--every", "5m", "--", "true");
  await add("X");
  await add("X", "--group", "Nightly");
  await add("Only", "--group", "Nightly");
  const complete = async (...words: readonly string[]) =>
    (await belfry.text("__complete", "--", ...words)).split("\n").slice(0, -1);
  expect(await complete("task", "show", "")).toEqual(["/X", "Nightly/X", "Only"]);
  expect(await complete("task", "show", "x")).toEqual(["/X", "Nightly/X"]);
  expect(await complete("task", "show", "/")).toEqual(["/X"]);
  expect(await complete("task", "show", "nightly/")).toEqual(["Nightly/Only", "Nightly/X"]);
  expect(await complete("agenda", "--task=x")).toEqual(["--task=/X", "--task=Nightly/X"]);
  // two schedules have one path, and none of the three is alone with its name
  expect(await complete("schedule", "show", "")).toEqual(["/X", "Nightly/X", "Only", "Only/every 5m"]);
  for (const word of await complete("schedule", "show", ""))
    expect((await belfry.call(["schedule", "show", word])).code, word).toBe(0);
  for (const word of await complete("task", "show", ""))
    expect((await belfry.call(["task", "show", word])).code, word).toBe(0);
});

test("names are those of the daemon that the options choose", async () => {
  await using belfry = await startBelfry();
  await using other = await startBelfry();
  await using home = await tempDir();
  await belfry.text("task", "add", "Backup", "--", "true");
  await other.text("task", "add", "Build", "--", "true");
  const dir = other.daemon.dataDir;
  const complete = async (...words: readonly string[]) => {
    const environment = { HOME: home.path, XDG_CONFIG_HOME: join(home.path, "config") };
    return (await belfry.call(["__complete", "--", ...words], { environment })).stdout.split("\n").slice(0, -1);
  };
  expect(await complete("task", "show", "B")).toEqual(["Backup"]);
  expect(await complete("--data-dir", dir, "task", "show", "B")).toEqual(["Build"]);
  expect(await complete(`--socket=${join(dir, "run", "none.sock")}`, "task", "show", "B")).toEqual([]);
  expect(await complete("task", "show", `--data-dir=${dir}`, "B")).toEqual(["Build"]);
  // as bash divides it
  expect(await complete("--data-dir", "=", dir, "task", "show", "B")).toEqual(["Build"]);
  expect(await complete("--data-dir", home.path, "task", "show", "B")).toEqual([]);
  await symlink(dir, join(home.path, "data"));
  expect(await complete("--data-dir", "~/data", "task", "show", "B")).toEqual(["Build"]);
  expect(await complete("--profile", "nope", "task", "show", "B")).toEqual([]);
  expect(await complete("--profile", "local", "--data-dir", dir, "task", "show", "B")).toEqual(["Build"]);
});

test("the options of every command are completed", async () => {
  await using home = await tempDir();
  const config = join(home.path, "config");
  await mkdir(join(config, "belfry", "profiles"), { recursive: true });
  await writeFile(join(config, "belfry", "profiles", "build.json"), "{}");
  const complete = async (...words: readonly string[]) => {
    const environment = { HOME: home.path, XDG_CONFIG_HOME: config };
    return (await callBelfry(["__complete", "--", ...words], { environment })).stdout.split("\n").slice(0, -1);
  };
  expect(await complete("--pro")).toEqual(["--profile"]);
  expect(await complete("--json", "--da")).toEqual(["--data-dir"]);
  expect(await complete("task", "--re")).toEqual(["--request-timeout"]);
  expect(await complete("task", "list", "--wi")).toEqual(["--wide"]);
  expect(await complete("task", "list", "--so")).toEqual(["--socket"]);
  expect(await complete("task", "add", "x", "--", "--pro")).toEqual([]);
  const help = (await callBelfry(["--help"])).stdout.match(/(?<=^ {2}(?:-\w, )?)--[a-z-]+/gm);
  expect(new Set(await complete("-"))).toEqual(new Set(help));
  // the shell completes files where there are no names
  expect(await complete("--data-dir", "")).toEqual([]);
  expect(await complete("--profile", "")).toEqual(["build", "local"]);
  expect(await complete("--profile=b")).toEqual(["--profile=build"]);
  expect(await complete("--profile", "=", "b")).toEqual(["build"]);
  expect(await complete("--profile", "=")).toEqual(["build", "local"]);
  expect(await complete("profile", "show", "")).toEqual(["build"]);
});

test("without a daemon, names are not completed, and there is no error", async () => {
  await using dir = await tempDir();
  const call = (...words: readonly string[]) => callBelfry(["--data-dir", dir.path, "__complete", "--", ...words]);
  expect(await call("task", "show", "")).toEqual({ code: 0, stdout: "", stderr: "" });
  expect((await call("task", "sh")).stdout).toBe("show\n");
  expect(await callBelfry(["completion", "csh"])).toMatchObject({ code: 2 });
});

/** A command that notes how it is called, and answers every completion with these words. */
async function fakeBelfry(...words: readonly string[]) {
  const dir = await tempDir();
  const calls = join(dir.path, "calls");
  const answer = words.length === 0 ? ":" : `printf '%s\\n' ${words.map((word) => `'${word}'`).join(" ")}`;
  await writeFile(join(dir.path, "belfry"), `#!/bin/sh\nprintf '<%s>' "$@" >> ${calls}; echo >> ${calls}\n${answer}\n`);
  await chmod(join(dir.path, "belfry"), 0o755);
  const environment = { PATH: `${dir.path}:/usr/bin:/bin`, HOME: dir.path, TERM: "dumb" };
  return {
    path: dir.path,
    /** Runs a script in a shell, with the file that completes commands in `$BELFRY_COMPLETION`. */
    run: async (shell: string, script: string): Promise<string> => {
      const file = join(dir.path, `completion.${shell}`);
      await writeFile(file, (await callBelfry(["completion", shell])).stdout);
      const options = { env: { ...environment, BELFRY_COMPLETION: file }, cwd: dir.path };
      return (await promisify(execFile)(shell, ["-c", script], options)).stdout;
    },
    calls: async () => (await readFile(calls, "utf8")).split("\n").slice(0, -1),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

test("bash gets quoted names from the script", async () => {
  await using fake = await fakeBelfry("Nightly backup", "Noon");
  const script = `. "$BELFRY_COMPLETION"; COMP_WORDS=(belfry task show N); COMP_CWORD=3; _belfry; printf '%s\\n' "\${COMPREPLY[@]}"`;
  expect(await fake.run("bash", script)).toBe("Nightly\\ backup\nNoon\n");
  expect(await fake.calls()).toEqual(["<__complete><--><task><show><N>"]);
});

test.skipIf(!existsSync("/usr/bin/zsh"))("zsh completes a name however it is quoted, and quotes it", async () => {
  await using fake = await fakeBelfry("Nightly backup");
  const typed = ["N", '"Nightly b', "'Nightly b", String.raw`Nightly\ b`, "nigh"];
  // a shell in a pseudoterminal, to which lines with a tab are typed
  const script = `
zmodload zsh/zpty
zpty typist zsh -f -i
zpty -w typist 'autoload -U compinit; compinit -u -D; source "$BELFRY_COMPLETION"; : > ready'
until [[ -e ready ]]; do sleep 0.05; done
for typed in ${typed.map((word) => JSON.stringify(word)).join(" ")}; do
  zpty -w -n typist "belfry task show $typed"$'\\t\\n'
done
zpty -w typist ': > done'
until [[ -e done ]]; do sleep 0.05; done`;
  await fake.run("zsh", script);
  expect(await fake.calls()).toEqual(
    typed.flatMap((word) => [`<__complete><--><task><show><${word}>`, "<task><show><Nightly backup>"]),
  );
});

test.skipIf(!existsSync("/usr/bin/fish"))("fish offers names, or files where there are none", async () => {
  const script = `source $BELFRY_COMPLETION; complete -C 'belfry task show '`;
  await using named = await fakeBelfry("Nightly backup", "Noon");
  expect(await named.run("fish", script)).toBe("Nightly backup\nNoon\n");
  expect(await named.calls()).toEqual(["<__complete><--><task><show><>"]);
  await using nameless = await fakeBelfry();
  await writeFile(join(nameless.path, "notes.txt"), "");
  expect(await nameless.run("fish", script)).toContain("notes.txt\n");
});

test("the command that was typed completes itself, also when belfry is not on PATH", async () => {
  await using fake = await fakeBelfry("Noon");
  const script = (word: string) =>
    `PATH=/usr/bin:/bin; . "$BELFRY_COMPLETION"; COMP_WORDS=('${word}' task show N); COMP_CWORD=3; _belfry '${word}' N show; printf '%s\\n' "\${COMPREPLY[@]}"`;
  for (const word of ["./belfry", "~/belfry", `${fake.path}/belfry`])
    expect(await fake.run("bash", script(word)), word).toBe("Noon\n");
  // an alias is no command, and belfry is not on PATH
  expect(await fake.run("bash", script("b"))).toBe("\n");
  expect(await fake.calls()).toHaveLength(3);
});

test.skipIf(!existsSync("/usr/bin/zsh"))("zsh asks the command that was typed", async () => {
  await using fake = await fakeBelfry("Noon");
  const script = `
zmodload zsh/zpty
zpty typist zsh -f -i
zpty -w typist 'PATH=/usr/bin:/bin; autoload -U compinit; compinit -u -D; source "$BELFRY_COMPLETION"; : > ready'
until [[ -e ready ]]; do sleep 0.05; done
for word in ./belfry '~/belfry'; do zpty -w -n typist "$word task show N"$'\\t\\n'; done
zpty -w typist ': > done'
until [[ -e done ]]; do sleep 0.05; done`;
  await fake.run("zsh", script);
  const once = ["<__complete><--><task><show><N>", "<task><show><Noon>"];
  expect(await fake.calls()).toEqual([...once, ...once]);
});

test.skipIf(!existsSync("/usr/bin/fish"))("fish asks the command that was typed", async () => {
  await using fake = await fakeBelfry("Noon");
  for (const word of ["./belfry", "~/belfry"]) {
    const script = `set PATH /usr/bin /bin; source $BELFRY_COMPLETION; complete -C '${word} task show N'`;
    expect(await fake.run("fish", script), word).toBe("Noon\n");
  }
});
