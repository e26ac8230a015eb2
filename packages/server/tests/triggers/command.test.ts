import { tempDir } from "@belfry/test-kit";
import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { startDaemon } from "../support/harness.ts";
import { endOf, makeTrigger, makeTriggerSet } from "../support/api.ts";
import { countRuns } from "../support/triggers.ts";

/** Runs the command as pasted into a shell, with this on its standard input. */
async function paste(shell: string, command: string, input: string) {
  const child = spawn(shell, ["-c", command], { stdio: "pipe" });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  child.stdin.on("error", () => {}).end(input);
  const [stdout, stderr] = await said;
  return { code: await ended, stdout, stderr };
}

/** A daemon at a path that a shell would misread. */
async function startAwkwardly() {
  const dir = await tempDir("bf-");
  const dataDir = join(dir.path, `it's a "$HOME" dir`);
  await mkdir(dataDir, { mode: 0o700 });
  const daemon = await startDaemon({ dataDir });
  return {
    ...daemon,
    folder: dir.path,
    [Symbol.asyncDispose]: async () => {
      await daemon[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

test("the command that is returned with a key fires when pasted into a shell, whatever the line ending", async () => {
  await using daemon = await startAwkwardly();
  const { trigger, key, command } = await makeTrigger(daemon, {}, { concurrency: { limit: 9 } });
  expect(command).not.toContain(key.slice(13));
  const file = join(daemon.folder, "deploy.key");
  await writeFile(file, `${key}\n`);
  const ways: readonly (readonly [shell: string, words: string, input: string])[] = [
    ["sh", command, `${key}\n`],
    ["sh", command, key],
    ["bash", command, `${key}\r\n`],
    ["bash", command, `${key}  \nand a second line\n`],
    ["sh", `${command} < ${file}`, ""],
    ["sh", `cat ${file} | ${command}`, ""],
  ];
  for (const [shell, words, input] of ways) {
    const { code, stdout, stderr } = await paste(shell, words, input);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const fired = JSON.parse(stdout) as { readonly run_id: string };
    expect(fired).toMatchObject({ trigger_id: trigger.id, task_id: trigger.target_task_id, state: "queued" });
    expect(await endOf(daemon, fired.run_id)).toMatchObject({ state: "succeeded", trigger: "external_trigger" });
  }
  expect(countRuns(daemon, trigger.id)).toBe(ways.length);
});

test("a refused fire ends the command with an error that contains the reason and not the key", async () => {
  await using daemon = await startAwkwardly();
  const { trigger, key, command } = await makeTrigger(daemon);
  const rotated = await daemon.call("POST", `/v1/triggers/${trigger.id}/rotate`);
  const refusals = [
    [key, "trigger_unknown"],
    ['"}, {"', "validation_failed"],
    ["", "validation_failed"],
  ] as const;
  for (const [input, expected] of refusals) {
    const { code, stdout, stderr } = await paste("sh", command, `${input}\n`);
    expect([code, JSON.parse(stdout).error.code]).toEqual([22, expected]);
    expect(stdout + stderr).not.toContain(key.slice(13));
  }
  expect(rotated.json.command).toBe(command);
  expect(countRuns(daemon, trigger.id)).toBe(0);
});

test("the command that is returned for each member fires with that member's key", async () => {
  await using daemon = await startDaemon();
  const { keys } = await makeTriggerSet(daemon, { count: 2 }, { concurrency: { limit: 2 } });
  for (const { trigger_id, key, command } of keys) {
    const { stdout } = await paste("sh", command, `${key}\n`);
    expect(JSON.parse(stdout)).toMatchObject({ trigger_id });
  }
});
