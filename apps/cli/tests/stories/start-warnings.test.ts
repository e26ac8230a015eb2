import { tempDir } from "@belfry/test-kit";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startBelfry } from "../belfry.ts";

test("a task that cannot start as it was added has a warning with the remedy", async () => {
  await using belfry = await startBelfry();
  await using dir = await tempDir();
  const script = join(dir.path, "job");
  await writeFile(script, "#!/bin/sh\n");
  await chmod(script, 0o644);
  let count = 0;
  const warn = async (...words: readonly string[]) => {
    const { code, stderr } = await belfry.call(["task", "add", `task ${(count += 1)}`, ...words], {
      environment: { HOME: dir.path, PATH: "/usr/bin:/bin" },
    });
    expect(code, words.join(" ")).toBe(0);
    return stderr;
  };
  expect(await warn("--", "nosuchprog", "-x")).toBe(
    'Warning: there is no program "nosuchprog" on the PATH. Install it, or give its absolute path\n',
  );
  expect(await warn("--", "echo", "hi", ">", "/tmp/x")).toBe(
    'Warning: the program gets ">" as an argument, because no shell reads it. For a redirection or a pipe, write the command with --shell\n',
  );
  expect(await warn("--", "echo", "--cron", "0 3 * * *")).toBe(
    "Warning: the program gets --cron, because it stands after --, and the task has no schedule. Put --cron before --\n",
  );
  expect(await warn("--cwd", "/nope", "--", "true")).toBe(
    "Warning: /nope, where the task starts, does not exist. Create the directory, or change it with --cwd\n",
  );
  expect(await warn("--cwd", script, "--", "true")).toContain(`${script}, where the task starts, is not a directory.`);
  const denied = "is not executable. Use chmod +x, or start it with its interpreter, such as sh";
  expect(await warn("--", script)).toBe(`Warning: ${script} ${denied} ${script}\n`);
  expect(await warn("--cwd", dir.path, "--shell", "./job --all")).toBe(`Warning: ./job ${denied} ./job\n`);

  // what may well start has none
  expect(await warn("--", "sh", script)).toBe("");
  expect(await warn("--cron", "0 3 * * *", "--", "echo", "--cron", "0 3 * * *")).toBe("");
  expect(
    await belfry.call(["task", "add", "own", "--env", "PATH", "--", "nosuchprog"], { environment: { PATH: "/x" } }),
  ).toMatchObject({ code: 0, stderr: "" });
  await belfry.text("group", "add", "g");
  expect(await warn("--group", "g", "--", "nosuchprog")).toBe("");
  await chmod(script, 0o755);
  expect(await warn("--", script)).toBe("");
});
