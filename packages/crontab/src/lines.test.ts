import { expect, test } from "vitest";
import { type CrontabForm, parseCrontab } from "./lines.ts";

function only(line: string, form: CrontabForm = "user") {
  const [parsed] = parseCrontab(`${line}\n`, form);
  const { number: _, ...rest } = parsed!;
  return rest;
}

const jobs: readonly (readonly [line: string, expression: string, command: string])[] = [
  ["0 3 * * * backup", "0 3 * * *", "backup"],
  ["  \t0\t3 *  * \t* \t backup --all  ", "0 3 * * *", "backup --all  "],
  ["*/5,7-59/10 0-23/2 1,15 jan-MAR Mon-fri x", "*/5,7-59/10 0-23/2 1,15 jan-MAR Mon-fri", "x"],
  ["@daily x y", "@daily", "x y"],
  ["@midnight\tx", "@midnight", "x"],
  ["007 3 * * * x", "07 3 * * *", "x"],
  ["*/61 */99 */40 */13 */8 x", "*/60 */24 */31 */12 */7", "x"],
  ["1-5/99 3 * * * x", "1-5/60 3 * * *", "x"],
  ["0 3 * * * A=1 B=2 x", "0 3 * * *", "A=1 B=2 x"],
  ["0 3 * * * echo # no comment", "0 3 * * *", "echo # no comment"],
  ["0 3 * * * cmd%one%two", "0 3 * * *", "cmd%one%two"],
];
test.each(jobs)("the line %j is a job at %j", (line, expression, command) => {
  expect(only(line)).toMatchObject({ kind: "job", time: { kind: "cron", expression }, user: null, command });
});

test("@reboot is a job at boot", () => {
  expect(only("@reboot sleep 60; x")).toEqual({
    kind: "job",
    time: { kind: "boot" },
    user: null,
    command: "sleep 60; x",
  });
});

test("the system form has a user before the command", () => {
  expect(only("17 * * * *\troot\tcd / && run-parts /etc/cron.hourly", "system")).toMatchObject({
    user: "root",
    command: "cd / && run-parts /etc/cron.hourly",
  });
  expect(only("@reboot  www-data  x", "system")).toMatchObject({ user: "www-data", command: "x" });
});

const settings: readonly (readonly [line: string, name: string, value: string])[] = [
  ["PATH=/usr/bin:/bin", "PATH", "/usr/bin:/bin"],
  ["PATH = /usr/bin:/bin  ", "PATH", "/usr/bin:/bin"],
  ['A="  kept  "', "A", "  kept  "],
  ["A = '  kept  '  ", "A", "  kept  "],
  ["'A' = b", "A", "b"],
  ['"A B" = c', "A B", "c"],
  ["A=b c # d", "A", "b c # d"],
  ["A=$HOME/bin", "A", "$HOME/bin"],
  ["A=b=c", "A", "b=c"],
  ["A=it's", "A", "it's"],
  ['MAILTO=""', "MAILTO", ""],
  ["A=1\r", "A", "1"],
  ["A\u{A0}=\u{A0}", "A\u{A0}", "\u{A0}"],
];
test.each(settings)("the line %j sets %s", (line, name, value) => {
  expect(only(line)).toEqual({ kind: "environment", name, value });
});

test.each(["# a", "   # a", "\t#a"])("the line %j is a comment", (line) => {
  expect(only(line)).toMatchObject({ kind: "comment" });
});

const neither = "this line is neither a setting (NAME=value) nor a job (five time fields and a command)";
const refused: readonly (readonly [line: string, form: CrontabForm, reason: string])[] = [
  ["0 3 * *", "user", "the day of the week is missing. A job has five time fields and a command"],
  ["0 3 * * *", "user", "the command is missing"],
  ["@daily", "user", "the command is missing"],
  ["0 3 * * * %x", "user", 'the command before "%" is missing'],
  [
    "@hourli x",
    "user",
    'unknown nickname "@hourli". Use one of @reboot, @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly',
  ],
  ["@Daily x", "user", "cron rejects @Daily. Write it in lower case: @daily"],
  [
    "@600 x",
    "user",
    '@600 means "seconds after the last run finished" in FreeBSD\'s cron. Add this task with: belfry task add --every',
  ],
  ["60 3 * * * x", "user", "60 is not a valid minute. Use 0 to 59"],
  ["0 3 * 13 * x", "user", "13 is not a valid month. Use 1 to 12 or jan to dec"],
  ["0 3 * * fry x", "user", '"fry" is not a valid day of the week. Use 0 to 7 or sun to sat'],
  ["0 3 ? * * x", "user", '"?" is not a valid day of the month. Use 1 to 31'],
  ["-0 3 * * * x", "user", '"-0" is not a valid minute. Use 0 to 59'],
  ["hello world", "user", neither],
  ["H 3 * * * x", "user", '"H" is not a valid minute. Use 0 to 59'],
  ["1,,2 3 * * * x", "user", 'a value is missing next to a comma in "1,,2". Add the value, or remove the comma'],
  ["1- 3 * * * x", "user", 'the range "1-" has no end. Write a range such as 1-59'],
  ["*/ 3 * * * x", "user", 'the step in "*/" is not a number. Write a number after the slash'],
  ["*/0 3 * * * x", "user", 'invalid step in "*/0". Use a number from 1 to 999999999'],
  ["5/15 * * * * x", "user", '"5/15" has a step after a single value, which cron rejects. Write 5-59/15'],
  ["0 22-2 * * * x", "user", "the range 22-2 goes backwards, so cron would never run the job. Write 22-23,0-2"],
  ["0 3 * * fri-mon x", "user", "the range fri-mon goes backwards, so cron would never run the job. Write 5-7,1"],
  ["0 3 * * sat-sun x", "user", "the range sat-sun goes backwards, so cron would never run the job. Write 6-7"],
  [
    "0 0~6 * * * x",
    "user",
    '"0~6" means a random hour in cronie, but 0 in Debian\'s cron. Write a fixed value, or add the task with: belfry task add --jitter',
  ],
  [
    "0 3 * * fri#2 x",
    "user",
    'cron reads only "fri" of the day of the week "fri#2". Write "fri" to keep what cron does, or add the task with what was meant: belfry task add --cron',
  ],
  [
    "0 3 * * 1,fri#2 x",
    "user",
    'cron reads only "1,fri" of the day of the week "1,fri#2". Write "1,fri" to keep what cron does, or add the task with what was meant: belfry task add --cron',
  ],
  [
    "* * * * * * x",
    "user",
    'the command starts with "*", which cron rejects. A crontab has five time fields, without seconds',
  ],
  [
    `0 3 * * * ${"ä".repeat(500)}`,
    "user",
    "the command has 1000 bytes, but cron accepts at most 998. Move the command to a script",
  ],
  [`A=${"ä".repeat(500)}`, "user", "cron reads only the first 998 bytes of this setting. Shorten it"],
  ["'A=b", "user", neither],
  ['A="b" c', "user", neither],
  ["export A=1", "user", neither],
  ["MAILTO = ", "user", 'MAILTO has no value. For an empty value, write MAILTO=""'],
  ["0 3 * * * x\0", "user", "the line contains a NUL character. Remove it"],
  ["\u{FEFF}0 3 * * * x", "user", "the file starts with a byte order mark. Save the file without it"],
  [
    "0 3 * * * x\r",
    "user",
    "the line has a Windows line ending (CRLF), and cron treats the CR as part of the command. Remove the CR with: tr -d '\\r'",
  ],
  ["0 3 * * * root", "system", "the command is missing"],
  ["0 3 * * *", "system", "the user and the command are missing"],
  [
    "0 3 * * * /usr/bin/backup --all",
    "system",
    `"/usr/bin/backup" is not a user name. Import a user's own crontab without --system`,
  ],
];
test.each(refused)("the line %j of the %s form is rejected with its reason", (line, form, reason) => {
  expect(only(line, form)).toEqual({ kind: "invalid", reason });
});

test("every line keeps its number, and a last line without a newline is rejected", () => {
  const lines = parseCrontab("# a\n\nA=b\n0 3 * * * x\n@daily y", "user");
  expect(lines.map(({ number, kind }) => `${number} ${kind}`)).toEqual([
    "1 comment",
    "2 blank",
    "3 environment",
    "4 job",
    "5 invalid",
  ]);
  expect(lines[4]).toMatchObject({
    reason: "the last line does not end with a newline, so cron rejects the file. Add a newline",
  });
  expect(parseCrontab("@daily y\n# z", "user").map(({ kind }) => kind)).toEqual(["job", "comment"]);
  expect(parseCrontab("", "user")).toEqual([]);
});
