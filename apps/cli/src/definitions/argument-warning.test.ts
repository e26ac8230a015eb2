import { expect, test } from "vitest";
import { warnOfLateSchedule, warnOfShellWord } from "./argument-warning.ts";

const exec = (program: string, ...rest: string[]) => ({ kind: "exec" as const, program, arguments: rest });

test.each([[">"], [">>"], ["2>&1"], ["2>/dev/null"], [">/tmp/x"], ["|"], ["||"], ["&&"], ["<"], ["&>"]])(
  "the argument %s has a warning",
  (word) => {
    expect(warnOfShellWord({ command: exec("echo", "hi", word, "/tmp/x") })).toBe(
      `Warning: the program gets ${JSON.stringify(word)} as an argument, because no shell reads it. For a redirection or a pipe, write the command with --shell`,
    );
  },
);

test.each([
  [exec("cut", "-d", "|", "-f", "1")],
  [exec("/usr/bin/grep", ">", "/srv/x")],
  [exec("find", "/srv", "-exec", "rm", "{}", ";")],
  [exec("bash", "-c", "true", "&&")],
  [exec("echo", "a > b", "->", "=>", "1>2")],
  [{ kind: "shell" as const, script: "echo hi > /tmp/x" }],
])("no shell is missed in %j", (command) => {
  expect(warnOfShellWord({ command })).toBeNull();
});

test("a schedule after -- has a warning, unless the task has one or the program means something else", () => {
  const warn = (command: ReturnType<typeof exec>, next: string | null = null) =>
    warnOfLateSchedule({ command, next_run_at: next });
  const warning =
    "Warning: the program gets --cron, because it stands after --, and the task has no schedule. Put --cron before --";
  for (const words of [["--cron", "0 3 * * *"], ["--all", "--cron", "@daily"], ["--cron=*/5 * * * mon-fri"]])
    expect(warn(exec("prog", ...words)), words.join(" ")).toBe(warning);
  expect(warn(exec("prog", "--every", "5m"))).toContain("Put --every before --");
  for (const words of [["--cron"], ["--cron", "nightly"], ["--every", "file"], ["--all"]])
    expect(warn(exec("prog", ...words)), words.join(" ")).toBeNull();
  expect(warn(exec("prog", "--cron", "0 3 * * *"), "2026-12-01T03:00:00Z")).toBeNull();
  expect(warn(exec("belfry", "task", "add", "x", "--cron", "0 3 * * *"))).toBeNull();
});
