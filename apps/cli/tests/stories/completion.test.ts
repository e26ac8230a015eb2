import { tempDir } from "@belfry/test-kit";
import { execFile } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { startBelfry } from "../belfry.ts";
import { callBelfry } from "../call.ts";

test("commands, options and names are completed", async () => {
  await using belfry = await startBelfry();
  await belfry.text("group", "add", "Backups");
  await belfry.text("task", "add", "Nightly backup", "--group", "Backups", "--", "true");
  await belfry.text("task", "add", "Noon", "--", "true");
  const complete = async (...words: readonly string[]) =>
    (await belfry.text("__complete", "--", ...words)).split("\n").slice(0, -1);
  expect(await complete("ta")).toEqual(["task"]);
  expect(await complete("task", "re")).toEqual(["restore"]);
  expect(await complete("")).not.toContain("__complete");
  expect(await complete("task", "list", "--w")).toEqual(["--wide"]);
  expect(await complete("task", "show", "")).toEqual(["Nightly backup", "Noon"]);
  expect(await complete("task", "show", "nigh")).toEqual(["Nightly backup"]);
  for (const typed of [String.raw`Nightly\ b`, '"Nightly b', "'Nightly b"])
    expect(await complete("run", "logs", typed)).toEqual(["Nightly backup"]);
  expect(await complete("task", "rm", "Noon", "Ni")).toEqual(["Nightly backup"]);
  expect(await complete("task", "list", "--group", "b")).toEqual(["Backups"]);
  expect(await complete("task", "add", "x", "--", "t")).toEqual([]);
  expect(await complete("nope", "x")).toEqual([]);
});

test("without a daemon, names are not completed, and there is no error", async () => {
  await using dir = await tempDir();
  const call = (...words: readonly string[]) => callBelfry(["--data-dir", dir.path, "__complete", "--", ...words]);
  expect(await call("task", "show", "")).toEqual({ code: 0, stdout: "", stderr: "" });
  expect((await call("task", "sh")).stdout).toBe("show\n");
  expect(await callBelfry(["completion", "csh"])).toMatchObject({ code: 2 });
});

test("bash gets quoted names from the script", async () => {
  await using dir = await tempDir();
  const fake = join(dir.path, "belfry");
  await writeFile(fake, `#!/bin/sh\necho "$@" > ${dir.path}/words\nprintf 'Nightly backup\\nNoon\\n'\n`);
  await chmod(fake, 0o755);
  const { stdout: script } = await callBelfry(["completion", "bash"]);
  const lines = `${script}COMP_WORDS=(belfry task show N); COMP_CWORD=3; _belfry; printf '%s\\n' "\${COMPREPLY[@]}"; cat ${dir.path}/words`;
  const { stdout } = await promisify(execFile)("bash", ["-c", lines], { env: { PATH: `${dir.path}:/usr/bin:/bin` } });
  expect(stdout).toBe("Nightly\\ backup\nNoon\n__complete -- task show N\n");
  for (const shell of ["zsh", "fish"])
    expect((await callBelfry(["completion", shell])).stdout).toContain("belfry __complete -- ");
});
