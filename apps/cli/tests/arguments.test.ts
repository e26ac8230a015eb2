import { tempDir } from "@belfry/test-kit";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandList } from "../src/command-list.ts";
import { callBelfry } from "./call.ts";

const commands = commandList.flatMap((entry) =>
  "subcommands" in entry ? entry.subcommands.map(({ name }) => [entry.name, name]) : [[entry.name]],
);

test.each(commands.map((words) => [words.join(" "), words] as const))(
  "belfry %s has help with an example",
  async (name, words) => {
    const { code, stdout, stderr } = await callBelfry([...words, "--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`Usage: belfry ${name}`);
    expect(stdout).toMatch(new RegExp(`Examples:[^]*${name}`));
    expect(
      Math.max(
        ...stdout
          .split("Examples:")[0]!
          .split("\n")
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(120);
    expect(await callBelfry(["help", ...words])).toEqual({ code, stdout, stderr });
  },
);

test("the help lists every command, and the help of a command its subcommands", async () => {
  const { code, stdout } = await callBelfry(["--help"]);
  expect(code).toBe(0);
  for (const { name } of commandList) expect(stdout).toContain(`\n  ${name} `);
  expect((await callBelfry(["task", "--help"])).stdout).toContain("\n  archive ");
});

test("the version is printed", async () => {
  expect(await callBelfry(["--version"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  });
});

const refused: readonly (readonly [words: readonly string[], said: RegExp])[] = [
  [["taks"], /unknown command 'taks'[^]*task/],
  [["task", "lsit"], /unknown command 'lsit'[^]*list/],
  [["task", "list", "--gruop", "x"], /unknown option '--gruop'[^]*--group/],
  [["task", "show"], /missing required argument 'task'/],
  [["task", "show", "a", "b"], /"b" is one word too many|too many arguments/],
  [["task", "add", "Nightly"], /what shall it run\?[^]*--/],
  [["task", "add", "Nightly", "backup"], /"backup" is one word too many[^]*after --/],
  [["task", "add", "x", "--shell", "y", "--", "z"], /either --shell or a program/],
  [["task", "add", "x", "--cron", "@daily", "--every", "5m", "--", "z"], /--cron and --every/],
  [["task", "add", "x", "--every", "5 minutes", "--", "z"], /--every is a number and one of ms, s, m, h, d/],
  [["task", "add", "x", "--tz", "Europe/Berlin", "--", "z"], /--tz belongs to --cron/],
  [["task", "add", "x", "--retries", "many", "--", "z"], /--retries is a whole number from 0/],
  [["task", "add", "x", "--on-conflict", "panic", "--", "z"], /--on-conflict is one of queue, skip/],
  [["task", "add", "x", "--env", "TOKEN=secret", "--", "z"], /--env takes a name only/],
  [["task", "add", "x", "--env", "MISSING", "--", "z"], /MISSING is not set here/],
  [["task", "add", "x", "--env-file", "-", "--stdin", "-", "--", "z"], /cannot both read standard input/],
  [["task", "add", "x", "--success-exit", "256", "--", "z"], /--success-exit is a number from 0 to 255/],
  [["task", "add", "x", "--max-output", "lots", "--", "z"], /--max-output is a number of bytes/],
  [["task", "add", "x", "--label", "=v", "--", "z"], /--label is a key/],
  [["task", "add", "x", "--env-file", "/nowhere/x.env", "--", "z"], /\/nowhere\/x\.env: there is no such file/],
  [["task", "run", "x", "--at", "tomorrow", "--wait"], /nothing to wait for/],
  [["schedule", "add", "x"], /when\? Give --cron/],
  [["schedule", "preview"], /either a schedule, or one of --cron/],
  [["run", "list", "--since", "someday"], /--since: "someday" is no time here/],
  [["run", "list", "--limit", "0"], /--limit is a whole number from 1/],
  [["events", "--kinds", "task,tsak"], /--kinds is any of task/],
  [["daemon", "stop", "--wait", "--kill"], /different ends/],
  [["import", "crontab"], /which crontab\?[^]*crontab -l \| belfry import crontab -/],
  [["trigger", "add", "x"], /which task shall it run\?[^]*--task/],
  [["trigger", "edit", "x"], /what shall change\?/],
  [["trigger", "fire", "a-key"], /too many arguments|one word too many/],
  [["trigger", "fire", "--key-file", "/nowhere/a.key"], /\/nowhere\/a\.key: there is no such file/],
  [
    ["trigger-set", "add", "x", "--task", "y"],
    /give the members either as --count <n>, or by name with --member <name>/,
  ],
  [
    ["trigger-set", "add", "x", "--task", "y", "--count", "2", "--member", "z"],
    /either as --count <n>, or by name with --member/,
  ],
  [["trigger-set", "add", "x", "--task", "y", "--count", "100"], /--count is a whole number from 1 to 99/],
  [["trigger-set", "edit", "x"], /what shall change\?/],
  [["task", "list", "--request-timeout", "soon"], /--request-timeout is a number/],
];
test.each(refused)("belfry %j is refused with 2 and says why", async (words, said) => {
  const { code, stdout, stderr } = await callBelfry(words, { environment: { BELFRY_SOCKET: "/nowhere/belfry.sock" } });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^belfry: /);
  expect(stderr).toMatch(said);
});

test.each([
  [["trigger", "fire", "--key-file"]],
  [["task", "add", "x", "--env-file"]],
  [["task", "add", "x", "--stdin"]],
  [["task", "edit", "x", "--env-file"]],
  [["group", "add", "x", "--env-file"]],
  [["channel", "add", "x", "--endpoint-file"]],
  [["channel", "rotate", "x", "--authorization-file"]],
  [["webhook", "send", "--url-file"]],
  [["webhook", "listen", "--signing-secret-file"]],
  [["import", "crontab"]],
] as const)("belfry %j refuses a directory by its name, where it reads a file", async (words) => {
  await using dir = await tempDir();
  const environment = { BELFRY_SOCKET: "/nowhere/belfry.sock" };
  expect(await callBelfry([...words, dir.path], { environment })).toEqual({
    code: 2,
    stdout: "",
    stderr: `belfry: ${dir.path}: it is a directory, where a file is read\n`,
  });
  expect((await callBelfry([...words, "/etc/passwd/x"], { environment })).stderr).toBe(
    "belfry: /etc/passwd/x: what leads to it is no directory\n",
  );
});

test("a secret that was written on the command line is not repeated", async () => {
  const { stderr } = await callBelfry(["task", "add", "x", "--env", "TOKEN=s3cret", "--", "z"]);
  expect(stderr).not.toContain("s3cret");
});

const key = `bfk_9sLq2XvT_${"k".repeat(32)}`;
test.each([
  [["trigger", "fire", key]],
  [["trigger", "fire", "--key", key]],
  [["trigger", "fire", `--key=${key}`]],
  [["trigger", "fire", "--key-file", key]],
  [["trigger", "show", key]],
  [["--json", "trigger-set", "rotate", key]],
  [["triger", "fire", key]],
  [["task", "add", "x", "--shell", `echo ${key} | belfry trigger fire`]],
  [["task", "add", "x", "--", "curl", "--data", `{"key":"${key}"}`]],
] as const)(
  "a trigger's key on the command line is refused, not repeated, and told where it goes: %#",
  async (words) => {
    const { code, stdout, stderr } = await callBelfry(words, {
      environment: { BELFRY_SOCKET: "/nowhere/belfry.sock" },
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).not.toContain(key.slice(13));
    expect(stderr).toContain("everybody on this machine can read it");
    if (words[0] !== "--json") expect(stderr).toMatch(/standard input.*prompt.*--key-file/);
  },
);

test("where no daemon is, every command says how to start one and ends with 4", async () => {
  await using dir = await tempDir();
  for (const words of [
    ["task", "list"],
    ["daemon", "status"],
    ["doctor"],
    ["events"],
    ["task", "add", "x", "--", "y"],
  ]) {
    const { code, stderr } = await callBelfry(["--data-dir", dir.path, ...words]);
    expect({ words, code }).toEqual({ words, code: 4 });
    expect(stderr).toContain(join(dir.path, "belfry.sock"));
    expect(stderr).toContain("belfry daemon run");
  }
});

test("with --json a refusal is one JSON object on standard error", async () => {
  const { code, stdout, stderr } = await callBelfry(["task", "list", "--json"], {
    environment: { BELFRY_SOCKET: "/nowhere/belfry.sock" },
  });
  expect({ code, stdout }).toEqual({ code: 4, stdout: "" });
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: "unreachable", exit_code: 4, field: null } });
});
