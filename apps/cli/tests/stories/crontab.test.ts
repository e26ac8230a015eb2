import type { TaskList } from "@belfry/client";
import { tempDir } from "@belfry/test-kit";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCronEnvironment } from "../../src/crontab/cron-environment.ts";
import { startBelfry } from "../belfry.ts";

function fixture(path: string): string {
  return readFileSync(new URL(`../fixtures/crontabs/${path}`, import.meta.url), "utf8");
}

test("a crontab is previewed, imported once, and not a second time", async () => {
  await using belfry = await startBelfry();
  const stdin = fixture("user/everything");
  const looked = await belfry.call(["import", "crontab", "-", "--dry-run"], { stdin });
  expect(looked.code).toBe(0);
  expect(looked.stdout).toMatch(/^8\timport\ttask "Five minutes after midnight, every day", 5 0 \* \* \*/m);
  expect(looked.stderr).toMatch(
    /^Would import 7 tasks into group "crontab"\.\nEnvironment, as under cron: PATH=\/usr\/bin:\/bin\b[^]*\nNothing was changed\.\n$/,
  );
  expect(await belfry.json("task", "list")).toMatchObject({ tasks: [] });

  const done = await belfry.call(["import", "crontab", "-"], { stdin });
  expect(done).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Imported 7 tasks[^]*cron still runs these jobs/),
  });
  expect((await belfry.json<TaskList>("task", "list", "--group", "crontab")).tasks).toHaveLength(7);
  expect(await belfry.json("schedule", "show", "Annoy Joe on weekdays")).toMatchObject({
    expression: "0 22 * * 1-5",
    effective_time_zone: "Europe/Berlin",
  });
  expect(await belfry.json("schedule", "show", "report")).toMatchObject({
    jitter: "6m",
    effective_time_zone: "America/New_York",
  });
  expect(await belfry.text("task", "stdin", "Annoy Joe on weekdays")).toBe("Joe,\n\nWhere are your kids?\n");

  const again = await belfry.call(["import", "crontab", "-"], { stdin });
  expect(again).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(/a group named "crontab" already exists[^]*--group/),
  });
  expect((await belfry.call(["import", "crontab", "-", "--group", "other"], { stdin })).code).toBe(0);
});

test("an import creates its group in the group that is named, which has to exist", async () => {
  await using belfry = await startBelfry();
  const stdin = "0 3 * * * true\n";
  const missing = await belfry.call(["import", "crontab", "-", "--parent", "Nightly"], { stdin });
  expect(missing).toMatchObject({
    code: 3,
    stdout: "",
    stderr: expect.stringContaining('there is no group "Nightly"'),
  });
  expect(await belfry.json("group", "list")).toMatchObject({ groups: [] });

  await belfry.call(["group", "add", "Nightly"]);
  expect((await belfry.call(["import", "crontab", "-", "--parent", "Nightly"], { stdin })).code).toBe(0);
  const parent = await belfry.json<{ id: string }>("group", "show", "Nightly");
  expect(await belfry.json("group", "show", "crontab")).toMatchObject({ parent_id: parent.id });
});

test("an imported job runs with the shell, the environment and the input that cron gave it", async () => {
  await using belfry = await startBelfry();
  const stdin =
    'SHELL=/bin/bash\nGREETING="  hello  "\n# Said\n0 3 * * * cat; [[ -n $BASH ]] && echo "$GREETING|$(date +\\%d | wc -c)"%from%cron\n';
  await belfry.call(["import", "crontab", "-"], { stdin });
  expect((await belfry.call(["task", "run", "Said", "--follow"])).stdout).toBe("from\ncron\n  hello  |3\n");
});

test("an imported job has the environment that cron gives it, whatever the daemon has", async () => {
  const baseEnvironment = {
    PATH: "/opt/bin:/usr/bin:/bin",
    HOME: "/tmp",
    LOGNAME: "me",
    USER: "me",
    SHELL: "/bin/zsh",
    LANG: "xx_XX",
    LC_ALL: "xx_XX",
  };
  await using belfry = await startBelfry({ config: { baseEnvironment } });
  await belfry.call(["import", "crontab", "-"], { stdin: "# Look\n0 3 * * * env\n" });
  const { stdout } = await belfry.call(["task", "run", "Look", "--follow"]);
  const seen = Object.fromEntries(
    stdout
      .trimEnd()
      .split("\n")
      .filter((line) => !line.startsWith("BELFRY_"))
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  expect(seen).toEqual({
    HOME: "/tmp",
    LOGNAME: "me",
    USER: "me",
    // set by the shell itself
    PWD: "/tmp",
    ...(await readCronEnvironment()),
    PATH: "/usr/bin:/bin",
    SHELL: "/bin/sh",
  });
});

test("one invalid line rejects the whole file, and every invalid line is reported with its number", async () => {
  await using belfry = await startBelfry();
  const stdin = fixture("user/refused");
  const { code, stdout, stderr } = await belfry.call(["import", "crontab", "-"], { stdin });
  expect(code).toBe(2);
  expect(stderr).toBe(
    "Nothing was imported from standard input: 9 lines cannot be imported.\nFix these lines, or skip them with --skip-unsupported.\n",
  );
  expect(stdout).toMatch(/^3\treject\t61 is not a valid minute\. Use 0 to 59$/m);
  // only the daemon detects a date that never occurs
  expect(stdout).toMatch(/^10\treject\t.*never/m);
  expect(await belfry.json("group", "list")).toMatchObject({ groups: [] });

  const skipped = await belfry.call(["import", "crontab", "-", "--skip-unsupported", "--json"], { stdin });
  expect(skipped.code).toBe(0);
  const answer = JSON.parse(skipped.stdout);
  expect(answer.made.tasks).toMatchObject([{ key: "line 1", name: "fine" }]);
  expect(answer.lines).toHaveLength(10);
});

test("a rejected file is reported with the warnings of its other lines, and with each time as written", async () => {
  await using belfry = await startBelfry();
  const stdin = "0 3 * * * root /usr/bin/env\n61 * * * * foo\n*/90 * * * * x\n";
  const { code, stdout, stderr } = await belfry.call(["import", "crontab", "-", "--dry-run"], { stdin });
  expect(code).toBe(2);
  expect(stdout.split("\n")).toEqual([
    "LINE\tACTION\tDETAILS",
    '1\timport\ttask "root", 0 3 * * *',
    "2\treject\t61 is not a valid minute. Use 0 to 59",
    '3\timport\ttask "x", */90 * * * *, read as */60 * * * *',
    "",
  ]);
  expect(stderr.split("\n")).toEqual([
    expect.stringMatching(/^Warning: the command in line 1 starts with the user root, as in a system crontab,/),
    expect.stringMatching(/^Warning: the step of the minute in line 3 is 60 or more, so the job runs only at minute 0/),
    "Nothing was imported from standard input: 1 line cannot be imported.",
    "Fix this line, or skip it with --skip-unsupported.",
    "",
  ]);
});

test("the commands that undo an import work as they are printed", async () => {
  await using belfry = await startBelfry();
  const stdin = "0 3 * * * /bin/true\n0 4 * * * /bin/false\n";
  const { stderr } = await belfry.call(["import", "crontab", "-", "--group", "mine"], { stdin });
  expect(stderr).toMatch(/\nTo undo the import:\n/);
  const [disable, remove, removeGroup] = stderr.split("To undo the import:\n")[1]!.trimEnd().split("\n");
  expect([disable, removeGroup]).toEqual(["belfry group disable mine", "belfry group delete mine"]);
  await belfry.text("group", "disable", "mine");
  const [, list, action] = /^belfry (.*) \| grep tsk_ \| xargs belfry (.*)$/.exec(remove!)!;
  const ids = (await belfry.call(list!.split(" "))).stdout.split("\n").filter((line) => line.includes("tsk_"));
  expect(ids).toHaveLength(2);
  await belfry.text(...action!.split(" "), ...ids);
  await belfry.text("group", "delete", "mine");
  expect(await belfry.json("group", "list")).toMatchObject({ groups: [] });
});

test("jobs of unknown users are rejected, or run as the daemon's user with a warning for each", async () => {
  await using belfry = await startBelfry();
  await using dir = await tempDir();
  const me = userInfo().username;
  const file = join(dir.path, "web");
  await writeFile(file, `0 3 * * * ${me} true\n0 4 * * * nobody-else false\n@reboot nobody-else false\n`);
  const refused = await belfry.call(["import", "crontab", file, "--system"]);
  expect(refused).toMatchObject({
    code: 2,
    stdout: expect.stringContaining(
      me === "root"
        ? "the user nobody-else does not exist on this machine: create the user, or remove the line"
        : `the job runs as nobody-else, but this daemon runs as ${me}. Import the file into a daemon that runs as root, or use --run-as-me`,
    ),
  });
  const taken = await belfry.call(["import", "crontab", file, "--system", "--run-as-me"]);
  expect(taken.code).toBe(0);
  expect(taken.stderr.split("\n").slice(0, 3)).toEqual([
    `Warning: the job in line 2 will run as ${me}, not as nobody-else.`,
    `Warning: the job in line 3 will run as ${me}, not as nobody-else.`,
    'Imported 3 tasks into group "web".',
  ]);
  expect((await belfry.json<TaskList>("task", "list", "--group", "web")).tasks).toHaveLength(3);
});

test("a system crontab is detected by its users, and rejected with the command to use", async () => {
  await using belfry = await startBelfry();
  await using dir = await tempDir();
  const file = join(dir.path, "my jobs");
  const text = "PATH=/sbin:/bin\n17 * * * * root cd /\n# Mail\n@reboot www-data true\n0 5 * * * root true\n";
  await writeFile(file, text);
  const message = `belfry: ${file} looks like a system crontab: every command starts with a user of this machine (root, www-data)
Import it with: belfry import crontab "${file}" --system
If it is a user's crontab, use --user instead.
`;
  expect(await belfry.call(["import", "crontab", file])).toEqual({ code: 2, stdout: "", stderr: message });
  expect(await belfry.call(["import", "crontab", "-"], { stdin: text })).toEqual({
    code: 2,
    stdout: "",
    stderr: message.replace(file, "standard input").replace(`"${file}"`, "-"),
  });
  expect((await belfry.call(["import", "crontab", file, "--user"])).code).toBe(0);
  expect(await belfry.call(["import", "crontab", file, "--user", "--system"])).toMatchObject({
    code: 2,
    stderr: "belfry: --system and --user cannot be combined. Use one of them\n",
  });
});

const ownCrontabs: readonly (readonly [what: string, text: string])[] = [
  ["a command that is not a user's name", "0 3 * * * root true\n0 4 * * * /usr/bin/true\n"],
  ["a command that is not a user's name on this machine", "0 3 * * * root true\n0 4 * * * no-such-user true\n"],
  ["programs that have the names of users", "0 3 * * * sync\n0 4 * * * sync -f /\n"],
  ["a program in the PATH of the file", "PATH=PLACE:/bin\n0 3 * * * root --all\n"],
];
test.each(ownCrontabs)("a user's crontab is not mistaken for a system crontab: %s", async (_, text) => {
  await using belfry = await startBelfry();
  await using dir = await tempDir();
  await writeFile(join(dir.path, "root"), "#!/bin/sh\n", { mode: 0o755 });
  const stdin = text.replace("PLACE", dir.path);
  expect((await belfry.call(["import", "crontab", "-"], { stdin })).code).toBe(0);
});

test("a file without jobs or with too many lines is rejected", async () => {
  await using belfry = await startBelfry();
  const long = `0 3 * * * true\n${"\n".repeat(10_000)}`;
  expect(await belfry.call(["import", "crontab", "-"], { stdin: long })).toMatchObject({
    code: 2,
    stderr: "belfry: standard input has 10001 lines; the maximum is 10000, as in cron. Split the file\n",
  });
  expect((await belfry.call(["import", "crontab", "-"], { stdin: long.slice(0, -1) })).code).toBe(0);
  expect(await belfry.call(["import", "crontab", "-"], { stdin: "# nothing\nA=1\n" })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("standard input contains no jobs. Give a crontab with at least one job"),
  });
  expect(await belfry.call(["import", "crontab", "/nowhere/crontab"])).toMatchObject({
    code: 2,
    stderr: "belfry: the crontab /nowhere/crontab does not exist: check the path\n",
  });
});

test("of a file that is no crontab, the first lines are shown and the others are counted", async () => {
  await using belfry = await startBelfry();
  const stdin = "this is no crontab\n".repeat(100);
  const { code, stdout, stderr } = await belfry.call(["import", "crontab", "-"], { stdin });
  expect(code).toBe(2);
  expect(stdout.split("\n").filter((line) => line.includes("reject"))).toHaveLength(10);
  expect(stdout).toMatch(/^and 90 more lines that cannot be imported\n$/m);
  expect(stderr).toContain("100 lines cannot be imported");
  const { lines } = JSON.parse((await belfry.call(["import", "crontab", "-", "--json"], { stdin })).stdout) as {
    readonly lines: readonly unknown[];
  };
  expect(lines).toHaveLength(100);
});

test.runIf(userInfo().username === "root")("a job of another user is imported with that user", async () => {
  await using belfry = await startBelfry();
  await using dir = await tempDir();
  const file = join(dir.path, "web");
  await writeFile(file, "0 3 * * * nobody true\n0 4 * * * root true\n");
  const { code, stderr } = await belfry.call(["import", "crontab", file, "--system"]);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining("Warning")]);
  const { tasks } = await belfry.json<TaskList>("task", "list", "--group", "web");
  expect(new Set(tasks.map(({ run_as }) => run_as))).toEqual(new Set(["nobody", null]));
});

test("a line of a system crontab in a user's crontab is imported with a warning, unless --user is given", async () => {
  await using belfry = await startBelfry();
  const stdin = "0 3 * * * /bin/true\n*/90 2 * * * root /bin/true\n5 3 * * * nobody -x\n";
  const look = (...more: readonly string[]) => belfry.call(["import", "crontab", "-", "--dry-run", ...more], { stdin });
  const warned = await look();
  expect(warned.stderr).toMatch(
    /^Warning: the step of the minute in line 2 .* --every <duration>\. Warning: the command in line 2 starts with the user root, .* with --system\.\nWould import 3 tasks/,
  );
  expect(warned.stdout.split("\n").map((line) => line.split("\t")[0])).toEqual(["LINE", "1", "2", "3", ""]);
  expect((await look("--user")).stderr).toMatch(/^Warning: the step of the minute in line 2 .*\nWould import/);
});
