import { expect, test } from "vitest";
import { runTool } from "./run-tool.ts";

const timeoutMs = 20_000;

test("a tool's exit code and output are returned, whatever it is", async () => {
  const run = (script: string) => runTool("sh", ["-c", script], { timeoutMs, environment: { A: "b" } });
  expect(await run("echo $A; echo why >&2; exit 3")).toEqual({ exitCode: 3, stdout: "b\n", stderr: "why\n" });
  expect(await run("env | grep -c SHLVL")).toMatchObject({ stdout: "0\n" });
});

test("a tool that does not end is killed, and one that does not exist is an error", async () => {
  expect(await runTool("sleep", ["600"], { timeoutMs: 50 })).toMatchObject({ exitCode: null });
  await expect(runTool("bf-no-such-tool", [], { timeoutMs })).rejects.toMatchObject({ code: "ENOENT" });
});
