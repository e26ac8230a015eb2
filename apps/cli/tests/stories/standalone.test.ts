import { describe, expect, test } from "vitest";
import { newMachine } from "../machine.ts";

describe("a command that does not call the daemon in use", () => {
  // each would fail otherwise, so that a mistake starts nothing
  const commands: readonly (readonly string[])[] = [
    ["backup", "check", "/nowhere/b.tar"],
    ["backup", "restore", "/nowhere/b.tar", "--passphrase-file", "/nowhere/pass"],
    ["daemon", "run", "--config", ""],
    ["webhook", "listen", "--signing-secret-file", "/nowhere/secret"],
    ["webhook", "send", "http://127.0.0.1:9/"],
    ["enroll", "x"],
    ["completion", "bash"],
    ["profile", "list"],
    ["profile", "show", "build"],
    ["profile", "use", "build"],
    ["profile", "edit", "build", "--capability", "observe"],
    ["profile", "rename", "build", "other"],
    ["profile", "remove", "build"],
  ];
  test.each(commands.map((words) => [words.join(" "), words] as const))("refuses --profile: %s", async (_, words) => {
    await using machine = await newMachine();
    expect(await machine.call(["--profile", "foo", ...words])).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "belfry: --profile has no effect on this command, which works on this machine alone\nLeave out --profile, or run the command on the other machine\n",
    });
  });

  const withoutPlace = commands.filter(([first, second]) => first !== "daemon" && second !== "restore");
  test.each(withoutPlace.map((words) => [words.join(" "), words] as const))(
    "refuses the place of a daemon: %s",
    async (_, words) => {
      await using machine = await newMachine();
      for (const option of ["--socket", "--data-dir"])
        expect(await machine.call([option, "/nowhere/x", ...words])).toEqual({
          code: 2,
          stdout: "",
          stderr: `belfry: ${option} has no effect on this command: leave it out\n`,
        });
    },
  );

  test("restores into the place that is given, which is no socket", async () => {
    await using machine = await newMachine();
    const restore = (...place: readonly string[]) => machine.call([...place, "backup", "restore", "/nowhere/b.tar"]);
    expect(await restore("--data-dir", "/nowhere/x")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("/nowhere/b.tar"),
    });
    expect(await restore("--data-dir", "/nowhere/x", "--socket", "/nowhere/s")).toMatchObject({
      code: 2,
      stderr: "belfry: --socket has no effect on this command: leave it out\n",
    });
  });

  test("works although a profile is in use, and with --profile local", async () => {
    await using machine = await newMachine();
    const environment = { BELFRY_PROFILE: "foo" };
    expect(await machine.call(["completion", "bash"], { environment })).toMatchObject({ code: 0, stderr: "" });
    expect(await machine.call(["--profile", "local", "completion", "bash"], { environment })).toMatchObject({
      code: 0,
    });
    expect(await machine.call(["backup", "check", "/nowhere/b.tar"], { environment })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("there is no file /nowhere/b.tar"),
    });
  });

  test("is unlike those for a fleet, which name the option to use", async () => {
    await using machine = await newMachine();
    for (const words of [["status"], ["tasks"], ["run", "x"]])
      expect(await machine.call(["--profile", "foo", "fleet", ...words])).toMatchObject({
        code: 2,
        stderr: "belfry: --profile names one daemon, and this command calls those of --on\nUse: --on foo\n",
      });
  });
});
