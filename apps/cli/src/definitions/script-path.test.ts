import type { Task } from "@belfry/client";
import { expect, test } from "vitest";
import { scriptOf, warnOfMissingScript } from "./script-path.ts";

const exec = (program: string, ...rest: string[]) => ({ kind: "exec" as const, program, arguments: rest });
const shell = (script: string) => ({ kind: "shell", script }) as const;

test.each([
  [exec("./backup.sh"), "./backup.sh"],
  [exec("bin/backup", "--all"), "bin/backup"],
  [exec("python3", "sync.py"), "sync.py"],
  [exec("/bin/bash", "jobs/x.sh"), "jobs/x.sh"],
  [shell("./backup.sh --all > log"), "./backup.sh"],
  [exec("backup"), null],
  [exec("/usr/bin/backup"), "/usr/bin/backup"],
  [shell("/srv/backup.sh --all 2>&1"), "/srv/backup.sh"],
  [shell("[ -x /srv/x ] && /srv/x"), null],
  [exec("bash", "-c", "./x.sh"), null],
  [exec("node", "server"), null],
  [shell('"$HOME"/backup.sh'), null],
  [shell("cd /srv && ./x.sh"), null],
])("the script of %j is %j", (command, script) => {
  expect(scriptOf(command)).toBe(script);
});

test("only a script that does not exist is warned about", () => {
  const warn = (command: Task["command"], directory: string | null, more: Partial<Task> = {}) =>
    // no other member is read
    warnOfMissingScript({ command, working_directory: directory, ...more } as Task, { environment: { HOME: "/srv" } });
  expect(warn(exec("./script-path.ts"), import.meta.dirname)).toBeNull();
  expect(warn(exec("./nope.sh"), null, { run_as: "www-data" })).toBeNull();
  expect(warn(exec("./nope.sh"), null)).toBe(
    "Warning: ./nope.sh does not exist in /srv, where the task starts. Use --cwd, or the absolute path of the script",
  );
  expect(warn(null, "/srv")).toBeNull();
  expect(warn(exec(import.meta.filename), null, { run_as: "www-data" })).toBeNull();
  expect(warn(exec("/no/such/backup"), "/srv")).toBe("Warning: /no/such/backup does not exist. Check the path");
  expect(warn(shell("/no/such/backup --all"), "/srv")).toBe("Warning: /no/such/backup does not exist. Check the path");
  expect(warn(exec("echo hello; date"), "/srv")).toBe(
    'Warning: there is no program "echo hello; date". Use --shell for a command line, or give the program and its arguments as separate words',
  );
  expect(warn(exec("echo", "hello; date"), "/srv")).toBeNull();
});
