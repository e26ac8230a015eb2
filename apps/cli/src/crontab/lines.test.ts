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
  ["@every_minute x", "* * * * *", "x"],
  ["-0 3 * * * quiet", "0 3 * * *", "quiet"],
  ["0 3 * * * A=1 B=2 x", "0 3 * * *", "A=1 B=2 x"],
  ["0 3 * * * echo # no comment", "0 3 * * *", "echo # no comment"],
  ["0 3 * * * cmd%one%two", "0 3 * * *", "cmd%one%two"],
];
test.each(jobs)("the line %j is a job at %j", (line, expression, command) => {
  expect(only(line)).toEqual({ kind: "job", time: { kind: "cron", expression }, user: null, command });
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
  expect(only("-*/5 * * * * root x", "system")).toMatchObject({ user: "root", command: "x" });
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
  ["MAILTO=", "MAILTO", ""],
];
test.each(settings)("the line %j sets %s", (line, name, value) => {
  expect(only(line)).toEqual({ kind: "environment", name, value });
});

test.each(["# a", "   # a", "\t#a"])("the line %j is a comment", (line) => {
  expect(only(line)).toMatchObject({ kind: "comment" });
});

const refused: readonly (readonly [line: string, form: CrontabForm, reason: RegExp])[] = [
  ["0 3 * *", "user", /day of the week is missing/],
  ["0 3 * * *", "user", /no command/],
  ["@daily", "user", /no command/],
  ["@hourli x", "user", /@hourli is not one of @reboot/],
  ["@600 x", "user", /seconds.*--every/],
  ["0 0~6 * * * x", "user", /random hour/],
  ["0 3 L * * x", "user", /"L" is no day of the month/],
  ["0 3 * * fri#2 x", "user", /no day of the week/],
  ["0 3 ? * * x", "user", /no day of the month/],
  ["hello world", "user", /"hello" is no minute/],
  ["'A=b", "user", /no minute/],
  ['A="b" c', "user", /no minute/],
  ["0 3 * * * root", "system", /no command/],
  ["0 3 * * *", "system", /no user/],
  ["0 3 * * * /usr/bin/backup --all", "system", /no user name.*--system/],
];
test.each(refused)("the line %j of the %s form is refused with its reason", (line, form, reason) => {
  const parsed = only(line, form);
  expect(parsed).toMatchObject({ kind: "invalid" });
  expect("reason" in parsed && parsed.reason).toMatch(reason);
});

test("every line is kept with its number, whatever ends it", () => {
  const lines = parseCrontab("\uFEFF# a\r\n\r\nA=b\r\n0 3 * * * x\r\n@daily y", "user");
  expect(lines.map(({ number, kind }) => `${number} ${kind}`)).toEqual([
    "1 comment",
    "2 blank",
    "3 environment",
    "4 job",
    "5 job",
  ]);
  expect(lines[3]).toMatchObject({ command: "x" });
});
