import { expect, test } from "vitest";
import { findMissingTool, inDirectoryAsUser } from "./switch-user.ts";

const user = { name: "ada", uid: 7, gid: 8, home: "/home/ada", shell: "/bin/sh", groups: [8, 30] };
const invocation = { program: "backup", arguments: ["--all"], environment: { PATH: "/evil", SECRET: "s" } };

test("the switch starts the system's own programs, whatever the task's PATH", () => {
  expect(findMissingTool()).toBe(null);
  const { program, arguments: args } = inDirectoryAsUser(user, "/srv/-x", invocation);
  expect(program).toMatch(/^\/(usr\/)?s?bin\/setpriv$/);
  expect(args).toEqual([
    "--reuid=7",
    "--regid=8",
    // nobody looks groups up as root with the environment of the task
    "--groups=8,30",
    "--",
    expect.stringMatching(/^\/(usr\/)?s?bin\/env$/),
    "--chdir=/srv/-x",
    "backup",
    "--all",
  ]);
});

test("a value of the environment is no argument, which every user of the machine can read", () => {
  const made = inDirectoryAsUser(user, "/", invocation);
  expect(made.environment).toEqual(invocation.environment);
  expect(made.arguments.join(" ")).not.toContain("SECRET");
});

test("the dynamic loader of a program that still runs as root never sees a variable of the task", () => {
  const loader = { LD_PRELOAD: "/evil.so", LD_LIBRARY_PATH: "/evil", GLIBC_TUNABLES: "a=b", MALLOC_TRACE: "/x" };
  const made = inDirectoryAsUser(user, "/", { ...invocation, environment: { ...invocation.environment, ...loader } });
  expect(made.environment).toEqual(invocation.environment);
  const [, , , end, env, ...rest] = made.arguments;
  expect([end, env]).toEqual(["--", expect.stringMatching(/\/env$/)]);
  // the variables are set by a program that runs as the user
  for (const [name, value] of Object.entries(loader)) expect(rest).toContain(`${name}=${value}`);
});
