import { tempDir } from "@belfry/test-kit";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandList } from "../src/command-list.ts";
import { callBelfry } from "./call.ts";

const commands = commandList
  .filter((entry) => !("shortFor" in entry || "isHidden" in entry))
  .flatMap((entry) =>
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

test.each(commands.map((words) => [words.join(" "), words] as const))(
  "at 60 columns, the help of belfry %s is complete, and no word is broken",
  async (_name, words) => {
    const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== "\\" && word !== "#");
    const helpAt = async (columns: number) => (await callBelfry([...words, "--help"], { columns })).stdout;
    const narrow = await helpAt(60);
    expect(wordsOf(narrow)).toEqual(wordsOf(await helpAt(120)));
    // a quoted script is one word
    for (const line of narrow.split("\n"))
      if (!/["']|tcp|https:/.test(line)) expect(line.length, line).toBeLessThanOrEqual(60);
  },
);

test("the help lists every command, and the help of a command its subcommands", async () => {
  const { code, stdout } = await callBelfry(["--help"]);
  expect(code).toBe(0);
  const listed = [...stdout.matchAll(/^ {2}([\w-]+)(?:\|\w+)? /gm)].map(([, name]) => name);
  for (const entry of commandList) expect(listed.includes(entry.name), entry.name).toBe(!("isHidden" in entry));
  expect((await callBelfry(["task", "--help"])).stdout).toContain("\n  archive ");
});

test("help follows options that choose the daemon, and the name of a group of commands", async () => {
  const add = await callBelfry(["task", "add", "--help"]);
  for (const words of [
    "--data-dir /a help task add",
    "--json help task add",
    "task help add",
    "--socket=/a task help add",
  ])
    expect(await callBelfry(words.split(" ")), words).toEqual(add);
  const task = await callBelfry(["task", "--help"]);
  for (const words of ["task help", "--json help task", "help --json task"])
    expect(await callBelfry(words.split(" ")), words).toEqual(task);
  expect(await callBelfry(["--json", "help"])).toEqual(await callBelfry(["--help"]));
});

test("the version is printed", async () => {
  expect(await callBelfry(["--version"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^belfry \d+\.\d+\.\d+\n$/),
  });
});

const refused: readonly (readonly [words: readonly string[], message: RegExp])[] = [
  [["task", "edit", "x", "--timeout", "5m", "--no-timeout"], /--timeout and --no-timeout cannot be combined/],
  [["task", "edit", "x", "--no-cwd", "--cwd=/srv"], /--cwd and --no-cwd cannot be combined/],
  [["task", "edit", "x", "--label", "a=1", "--unlabel", "a"], /--label and --unlabel cannot be combined for .* "a"/],
  [
    ["task", "edit", "x", "--env", "BELFRY_SOCKET", "--unset-env", "BELFRY_SOCKET"],
    /--env and --unset-env cannot be combined for .* "BELFRY_SOCKET"/,
  ],
  [
    ["schedule", "add", "x", "--cron", "0 3 * * *", "--missed", "skip", "--missed-window", "1h"],
    /--missed-window and --missed skip cannot be combined/,
  ],
  [["taks"], /unknown command 'taks'\nDid you mean task\?/],
  [["task", "lsit"], /unknown command 'lsit'\nDid you mean list\?/],
  [["channel", "update", "Ops"], /unknown command 'update'\nDid you mean edit\?/],
  [["schedule", "stop", "x"], /Did you mean disable or pause\?/],
  [["jobs"], /unknown command 'jobs'\nDid you mean task list\?/],
  [
    ["run", "Nightly backup"],
    /unknown command 'Nightly backup'\nTo start a task, use: belfry task run "Nightly backup"/,
  ],
  [["login"], /unknown command 'login'\nDid you mean enroll\?/],
  [["profile", "switch", "x"], /unknown command 'switch'\nDid you mean use\?/],
  [["profile", "delete", "x"], /unknown command 'delete'\nDid you mean remove\?/],
  [["enroll"], /missing argument <invitation>: the invitation that `belfry pair` printed/],
  [["enroll", "bfi1.x"], /the invitation is not complete\nCopy the whole line/],
  [["enroll", "x", "--store", "cloud"], /invalid value "cloud" for --store\. Use one of keychain, file/],
  [["profile", "edit", "x"], /missing --capability/],
  [["profile", "rename", "x", "Y"], /invalid profile name "Y"\nUse at most 63 lower-case letters/],
  [["fleet", "status"], /there are no profiles yet/],
  [["constructor"], /unknown command 'constructor'\nSee: belfry --help/],
  [["task", "constructor"], /unknown command 'constructor'\nSee: belfry task --help/],
  [["task", "frobnicate"], /unknown command 'frobnicate'\nSee: belfry task --help/],
  [["task", "list", "--group"], /missing value for --group <group>/],
  [
    ["notify", "set", "--task", "Deploy", "--on-failure", "Ops"],
    /unknown option '--task'\nGive the task without an option: belfry notify set <task>/,
  ],
  [["channel", "add", "Ops", "--endpoint", "x"], /unknown option '--endpoint'\nDid you mean --endpoint-file\?/],
  [["task", "add", "x", "--persistent", "--", "z"], /unknown option '--persistent'\nDid you mean --missed\?/],
  [["task", "list", "--gruop", "x"], /unknown option '--gruop'\nDid you mean --group\?/],
  [["task", "show"], /missing argument <task>: task name, group\/name, \/name \(in no group\) or id/],
  [["task", "show", "a", "b"], /unexpected argument "b"\nQuote names that contain spaces/],
  [["task", "list", "Nightly"], /unexpected argument "Nightly"\nThis command takes only options/],
  [["task", "add", "Nightly"], /missing command: give a program after --, or use --shell/],
  [["task", "add", "Nightly", "backup"], /unexpected argument "backup"\nPut the command after --/],
  [["task", "add", "Nightly", "backup", "--", "y"], /unexpected argument "backup"\nQuote names that contain spaces\n$/],
  [
    ["task", "add", "x", "--cron", "0", "2", "*", "*", "*", "--", "y"],
    /unexpected argument "2"\nQuote the cron expression, for example --cron "0 3 \* \* \*"/,
  ],
  [
    ["task", "add", "x", "--shell", "echo", "hello"],
    /unexpected argument "hello"\nQuote the script, so that it is one/,
  ],
  [
    ["run", "list", "Nightly"],
    /unexpected argument "Nightly"\nThis command takes only options\. To name a task, use: --task "Nightly"/,
  ],
  [["run", "list", "--failed", "--outcome", "success"], /--failed and --outcome cannot be combined/],
  [
    ["task", "edit", "x", "--cron", "0 4 * * *"],
    /unknown option '--cron'\nTo change the times of a task, use: belfry schedule edit <task>/,
  ],
  [
    ["task", "edit", "x", "--enabled"],
    /unknown option '--enabled'\nUse: belfry task enable <task>, or: belfry task disable <task>\n$/,
  ],
  [
    ["chain", "edit", "x", "y", "--disable"],
    /unknown option '--disable'\nUse: belfry chain enable <chain>, or: belfry chain disable <chain>\n$/,
  ],
  [["actor", "edit", "x", "--disabled"], /unknown option '--disabled'\nUse --state active, or --state disabled\n$/],
  [["agenda", "--days", "2"], /unknown option '--days'\nDid you mean --until\?\n$/],
  [["task", "pause", "x"], /unknown command 'pause'\nUse: belfry schedule pause <task>/],
  [["task", "stop", "x"], /unknown command 'stop'\nUse: belfry run cancel <task>, or: belfry task disable <task>/],
  [["hold", "2h"], /unexpected argument "2h"\nThis command takes only options\. To end .*, use: --until 2h\n$/],
  [["hold", "Backups"], /unexpected argument "Backups"\n.* To name a group, use: --group "Backups"\n$/],
  [["hold", "--for", "2h"], /unknown option '--for'\nDid you mean --until\?\n$/],
  [
    ["hold", "--task", "Backup"],
    /unknown option '--task'\nA hold is for all tasks or for a group\. .*: belfry schedule pause <task>\n.*: belfry task disable <task>\n$/,
  ],
  [
    ["task", "add", "x", "--notify", "Ops", "--", "y"],
    /unknown option '--notify'\n.*: belfry channel add <channel>\n.*: belfry notify set <task> --on-failure <channel>\n$/,
  ],
  [
    ["task", "add", "x", "--mailto=ada", "--", "y"],
    /unknown option '--mailto=ada'\n.*belfry channel add[^]*notify set/,
  ],
  [["task", "edit", "x", "--no-env", "PATH"], /unknown option '--no-env'\nDid you mean --unset-env\?\n$/],
  [["run", "list", "--from", "yesterday"], /unknown option '--from'\nDid you mean --since\?\n$/],
  [["run", "list", "--status", "failed"], /unknown option '--status'\nDid you mean --state or --outcome\?\n$/],
  [
    ["task", "add", "x", "--cron", "@daily", "nice", "-n", "10", "true"],
    /unknown option '-n'\nPut the command after --, with its option -n\n$/,
  ],
  [
    ["task", "add", "x", "backup", "--frob"],
    /unknown option '--frob'\nPut the command after --, with its option --frob/,
  ],
  [["task", "add", "x", "--frob", "--", "y"], /unknown option '--frob'\nSee: belfry task add --help\n$/],
  [["task", "add", "x", "-n", "10", "--", "y"], /unknown option '-n'\nSee: belfry task add --help\n$/],
  [
    ["task", "add", "x", "--max-parallel", "2", "--", "y"],
    /unknown option '--max-parallel'\nDid you mean --limit\?\n$/,
  ],
  [["pause"], /unknown command 'pause'\nDid you mean hold, schedule pause or task disable\?\n$/],
  [["disable", "x"], /unknown command 'disable'\nDid you mean task disable\?\n$/],
  [["show", "x"], /unknown command 'show'\nDid you mean task show or run show\?\n$/],
  [["restore", "x"], /unknown command 'restore'\nDid you mean backup restore or task restore\?\n$/],
  [["restart"], /unknown command 'restart'\nRestart a service with: systemctl --user restart belfry\n/],
  [["maintenance"], /unknown command 'maintenance'\nDid you mean hold\?\n$/],
  [["stop"], /unknown command 'stop'\nDid you mean run cancel, task disable or daemon stop\?\n$/],
  [["-v"], /unknown option '-v'\nDid you mean -V\?/],
  [["notify", "set", "x", "--on-fail", "Ops"], /unknown option '--on-fail'\nDid you mean --on-failure\?\n$/],
  [["task", "run", "x", "--wiat"], /unknown option '--wiat'\nDid you mean --wait\?\n$/],
  [["task", "add", "x", "--run", "y"], /unknown option '--run'\nDid you mean --run-as\?\n$/],
  [["task", "add", "x", "--timezone=UTC"], /unknown option '--timezone=UTC'\nDid you mean --tz\?\n$/],
  [["task", "list", "--jsn"], /unknown option '--jsn'\nDid you mean --json\?\n$/],
  [["daemon", "strt"], /unknown command 'strt'\nSee: belfry daemon --help\n$/],
  [["--data-dir", "/a", "--data-dir", "/b", "ls"], /^belfry: --data-dir was given more than once: give it once\n$/],
  [["--socket", "/a", "ls", "--socket", "/b"], /^belfry: --socket was given more than once: give it once\n$/],
  [["task", "add", "x", "--shell", "y", "--", "z"], /either --shell or a program/],
  [["task", "add", "x", "--cron", "@daily", "--every", "5m", "--", "z"], /--cron and --every/],
  [
    ["task", "add", "x", "--cron", "0 6 * * *", "--cron", "0 18 * * *", "--", "z"],
    /--cron was given more than once: give it once\nAdd another schedule with: belfry schedule add/,
  ],
  [
    ["schedule", "add", "x", "--every", "1h", "--every", "2h"],
    /--every was given more than once[^]*belfry schedule add/,
  ],
  [["task", "edit", "x", "--timeout", "1h", "--timeout=2h"], /--timeout was given more than once: give it once\n$/],
  [["run", "list", "--outcome", "failure", "--outcome", "success"], /--outcome was given more than once/],
  [
    ["task", "add", "x", "--every", "5 moments", "--", "z"],
    /invalid duration "5 moments" for --every\. Use numbers with ms, s, m, h, d or w, for example 90s, 1h30m or "2 hours"/,
  ],
  [["task", "add", "x", "--tz", "Europe/Berlin", "--", "z"], /--tz requires --cron/],
  [["task", "add", "x", "--timeout", "0", "--", "z"], /without --timeout has no time limit[^]*--no-timeout/],
  [["task", "edit", "x", "--timeout", "0s"], /without --timeout has no time limit[^]*--no-timeout/],
  [
    ["task", "add", "x", "--jitter", "5m", "--", "z"],
    /--jitter requires a schedule\. Add --cron, --every, --at or --boot/,
  ],
  [["task", "add", "x", "--missed", "skip", "--", "z"], /--missed requires a schedule/],
  [["task", "add", "x", "--every", "1h", "--dst-gap", "skip", "--", "z"], /--dst-gap requires --cron/],
  [["task", "add", "x", "--every", "1h", "--missed-max", "3", "--", "z"], /--missed-max requires --missed run_all/],
  [["task", "add", "x", "--retry-delay", "5s", "--", "z"], /--retry-delay requires --retries or --on-lost retry/],
  [["task", "add", "x", "--draft", "--", "z"], /--draft and a command cannot be combined/],
  [["help", "nope"], /unknown command 'nope'\nSee: belfry --help/],
  [["--json", "help", "nope"], /unknown command 'nope'/],
  [["--data-dir", "/a", "nope", "--help"], /unknown command 'nope'/],
  [["task", "help", "nope"], /unknown command 'nope'\nSee: belfry task --help/],
  [["--data-dir", "", "daemon", "run"], /^belfry: --data-dir is empty: give a value, or leave the option out\n$/],
  [["daemon", "run", "--data-dir="], /^belfry: --data-dir is empty: give a value, or leave the option out\n$/],
  [["daemon", "run", "--config", ""], /^belfry: --config is empty: give a value, or leave the option out\n$/],
  [["task", "list", "--socket", ""], /^belfry: --socket is empty: give a value, or leave the option out\n$/],
  [["task", "list", "--profile", ""], /^belfry: --profile is empty: give a value, or leave the option out\n$/],
  [["help", "task", "nope"], /unknown command 'nope'\nSee: belfry task --help/],
  [["help", "taks"], /unknown command 'taks'\nDid you mean task\?/],
  [["nope", "--help"], /unknown command 'nope'/],
  [
    ["task", "add", "x", "--retries", "many", "--", "z"],
    /invalid number "many" for --retries\. Use a whole number from 0/,
  ],
  [
    ["task", "add", "x", "--on-conflict", "panic", "--", "z"],
    /invalid value "panic" for --on-conflict\. Use one of queue, skip/,
  ],
  [["task", "add", "x", "--env", "TOKEN=secret", "--", "z"], /--env takes only a name/],
  [
    ["task", "add", "x", "--env", "MISSING", "--", "z"],
    /--env MISSING: environment variable MISSING is not set. Set it in your shell first/,
  ],
  [["task", "add", "x", "--env-from", "-", "--stdin", "-", "--", "z"], /cannot both read standard input/],
  [
    ["task", "add", "x", "--success-exit", "256", "--", "z"],
    /invalid exit code "256" for --success-exit\. Use a number from 0 to 255/,
  ],
  [
    ["task", "add", "x", "--max-output", "lots", "--", "z"],
    /invalid size "lots" for --max-output\. Use a number of bytes/,
  ],
  [
    ["task", "add", "x", "--max-output", "1.5GB", "--", "z"],
    /^belfry: size "1\.5GB" for --max-output is too large\. Use a size from 1KiB to 1GiB\n$/,
  ],
  [
    ["task", "add", "x", "--keep-bytes", "2TB", "--", "z"],
    /size "2TB" for --keep-bytes is too large\. Use a size from 1KiB to 1TiB\n$/,
  ],
  [
    ["task", "add", "x", "--timeout", "100000d", "--", "z"],
    /^belfry: duration "100000d" for --timeout is too long\. Use at most 36525d\n$/,
  ],
  [["task", "list", "--request-timeout", "6000w"], /duration "6000w" for --request-timeout is too long/],
  [["run", "list", "--all", "--limit", "3"], /--all and --limit cannot be combined\. Use one of them\n$/],
  [["delivery", "list", "--all", "-n", "3"], /--all and --limit cannot be combined\. Use one of them\n$/],
  [
    ["run", "logs", "x", "--since", "in 2h"],
    /^belfry: --since "in 2h" is in the future, so there is no output yet\. Use a time in the past\n$/,
  ],
  [["task", "add", "x", "--label", "=v", "--", "z"], /invalid label "=v" for --label\. Use key or key=value/],
  [
    ["task", "add", "x", "--env-from", "/nowhere/x.env", "--", "z"],
    /^belfry: the file \/nowhere\/x\.env of --env-from does not exist: check the path\n$/,
  ],
  [["task", "run", "x", "--at", "tomorrow", "--wait"], /--at cannot be combined with --wait or --follow/],
  [["schedule", "add", "x"], /missing schedule\. Use --cron/],
  [["schedule", "preview"], /either an existing schedule, or one of --cron/],
  [["run", "list", "--since", "someday"], /cannot parse "someday" as a time for --since\nUse 2026/],
  [["run", "list", "--limit", "0"], /invalid number "0" for --limit\. Use a whole number from 1/],
  [["events", "--kinds", "task,tsak"], /invalid value "tsak" for --kinds\. Use any of task/],
  [["daemon", "stop", "--wait", "--kill"], /--wait and --kill cannot be combined/],
  [
    ["daemon", "restart"],
    /systemctl --user restart belfry\nElsewhere, use: belfry daemon stop, and then: belfry daemon run\n$/,
  ],
  [["import", "crontab"], /missing crontab: give a file[^]*crontab -l \| belfry import crontab -/],
  [["trigger", "add", "x"], /missing --task/],
  [["trigger", "edit", "x"], /nothing to change: give at least one option/],
  [
    ["trigger", "fire", "a-key"],
    /unexpected argument\nGive the key on standard input, at the prompt, or in a file with --key-file/,
  ],
  [
    ["trigger", "fire", "--key-file", "/nowhere/a.key"],
    /^belfry: the file \/nowhere\/a\.key of the trigger key does not exist: check the path\n$/,
  ],
  [["trigger-set", "add", "x", "--task", "y"], /give either --count <n>, or one --member <name> for each member/],
  [
    ["trigger-set", "add", "x", "--task", "y", "--count", "2", "--member", "z"],
    /give either --count <n>, or one --member <name> for each member/,
  ],
  [
    ["trigger-set", "add", "x", "--task", "y", "--count", "100"],
    /invalid number "100" for --count\. Use a whole number from 1 to 99/,
  ],
  [["trigger-set", "edit", "x"], /nothing to change: give at least one option/],
  [["watcher", "add", "x", "--directory", "/srv"], /missing --task/],
  [["watcher", "add", "x", "--task", "y"], /missing path: give --directory <path> or --file <path>/],
  [
    ["watcher", "add", "x", "--task", "y", "--file", "a", "--directory", "b"],
    /--directory and --file cannot be combined/,
  ],
  [["watcher", "add", "x", "--task", "y", "--file", "a/"], /--file "a\/" ends with a slash\. Use --directory/],
  [["watcher", "add", "x", "--task", "y", "--file", "a", "--pattern", "*"], /--pattern and --file cannot be combined/],
  [["watcher", "edit", "x", "--file", "a", "--recursive"], /--recursive and --file cannot be combined/],
  [["watcher", "edit", "x"], /nothing to change: give at least one option/],
  [["actor", "add", "x"], /missing --capability: give observe, operate, manage or enroll/],
  [
    ["actor", "add", "x", "--capability", "admin"],
    /invalid value "admin" for --capability\. Use one of observe, operate, manage, enroll/,
  ],
  [
    ["actor", "add", "x", "--capability", "observe", "--expires", "someday"],
    /cannot parse "someday" as a time for --expires/,
  ],
  [["actor", "edit", "x", "--state", "revoked"], /invalid value "revoked" for --state\. Use one of active, disabled/],
  [["actor", "edit", "x"], /nothing to change: give at least one option/],
  [["task", "list", "--request-timeout", "soon"], /invalid duration "soon" for --request-timeout/],
];
test.each(refused)("belfry %j exits with 2 and says why", async (words, message) => {
  const { code, stdout, stderr } = await callBelfry(words, { environment: { BELFRY_SOCKET: "/nowhere/belfry.sock" } });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^belfry: /);
  expect(stderr).toMatch(message);
});

test.each([
  [["trigger", "fire", "--key-file"]],
  [["task", "add", "x", "--env-from"]],
  [["task", "add", "x", "--stdin"]],
  [["task", "edit", "x", "--env-from"]],
  [["group", "add", "x", "--env-from"]],
  [["channel", "add", "x", "--endpoint-file"]],
  [["channel", "rotate", "x", "--authorization-file"]],
  [["webhook", "send", "--url-file"]],
  [["webhook", "listen", "--signing-secret-file"]],
  [["import", "crontab"]],
] as const)("belfry %j rejects a directory, with its path", async (words) => {
  await using dir = await tempDir();
  const environment = { BELFRY_SOCKET: "/nowhere/belfry.sock" };
  const { code, stdout, stderr } = await callBelfry([...words, dir.path], { environment });
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^belfry: the (?:file|crontab) \S+( of .+)? is a directory: give a file\n$/);
  expect(stderr).toContain(` ${dir.path} `);
  expect((await callBelfry([...words, "/etc/passwd/x"], { environment })).stderr).toMatch(
    /^belfry: the (?:file|crontab) \/etc\/passwd\/x( of .+)? does not exist, because a part of its path is not a directory: check the path\n$/,
  );
});

test("a secret on the command line is not repeated", async () => {
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
  "a trigger key on the command line is refused and not repeated, and the error says how to give it: %#",
  async (words) => {
    const { code, stdout, stderr } = await callBelfry(words, {
      environment: { BELFRY_SOCKET: "/nowhere/belfry.sock" },
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).not.toContain(key.slice(13));
    expect(stderr).toContain("other users can read it");
    if (words[0] !== "--json") expect(stderr).toMatch(/standard input.*prompt.*--key-file/);
  },
);

test("an access token on the command line is refused and not repeated", async () => {
  const secret = "t".repeat(43);
  const { code, stdout, stderr } = await callBelfry(["task", "list", "--label", `token:bat_9sLq2XvT_${secret}`]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).not.toContain(secret);
  expect(stderr).toContain("other users can read it");
});

test("without a daemon, every command says how to start one and exits with 4", async () => {
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
    expect(stderr).toContain(`belfry --data-dir ${dir.path} daemon run`);
  }
});

test("with --json an error is one JSON object on standard error", async () => {
  const { code, stdout, stderr } = await callBelfry(["task", "list", "--json"], {
    environment: { BELFRY_SOCKET: "/nowhere/belfry.sock" },
  });
  expect({ code, stdout }).toEqual({ code: 4, stdout: "" });
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: "unreachable", exit_code: 4, field: null } });
});

test("channel add does not take the endpoint as an argument, and does not repeat it", async () => {
  const { code, stdout, stderr } = await callBelfry(["channel", "add", "Ops", "https://hooks.example.com/s3cret"]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(
    /^belfry: unexpected argument\n.*--endpoint-file, or omit the option to enter the endpoint at a prompt/,
  );
  expect(stderr).not.toContain("s3cret");
});
