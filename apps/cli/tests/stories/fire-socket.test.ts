import { tempDir } from "@belfry/test-kit";
import type { TriggerSecret, TriggerSetSecrets } from "@belfry/client";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startWithFireSocket } from "../../../../packages/server/tests/support/fire-socket.ts";
import { callBelfry } from "../call.ts";

/** A daemon with a socket for fires, and the command as the daemon's user and as a user who has only this socket. */
async function start() {
  const daemon = await startWithFireSocket();
  const call = (args: readonly string[], stdin = "") =>
    callBelfry(args, { columns: 1_000, stdin, environment: { BELFRY_DATA_DIR: daemon.dataDir, NO_COLOR: "1" } });
  const text = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await call(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return stdout;
  };
  const asOther = (args: readonly string[], stdin: string) =>
    callBelfry(args, { stdin, environment: { BELFRY_SOCKET: daemon.path } });
  return { daemon, text, call, asOther, [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose]() };
}

test("the commands that show a key name the socket for fires, for belfry and for curl", async () => {
  await using belfry = await start();
  const { path, socketPath } = belfry.daemon;
  await belfry.text("task", "add", "Deploy", "--", "true");
  const outputs = [
    await belfry.text("trigger", "add", "CI", "--task", "Deploy"),
    await belfry.text("trigger", "reveal", "CI"),
    await belfry.text("trigger", "rotate", "CI"),
  ];
  for (const output of outputs) {
    expect(output).toContain(`\`belfry --socket ${path} trigger fire < keyfile\``);
    expect(output).toContain(`--unix-socket '${path}'`);
    expect(output).not.toContain(socketPath);
  }
  const ofSets = [
    await belfry.text("trigger-set", "add", "Agents", "--task", "Deploy", "--count", "2"),
    await belfry.text("trigger-set", "reveal", "Agents"),
    await belfry.text("trigger-set", "rotate", "Agents"),
  ];
  for (const output of ofSets) expect(output).toContain(`\`belfry --socket ${path} trigger fire < keyfile\``);
  const revealed = JSON.parse(await belfry.text("--json", "trigger-set", "reveal", "Agents")) as TriggerSetSecrets;
  for (const { command } of revealed.keys) expect(command).toContain(`--unix-socket '${path}'`);
});

test("a user with only this socket can fire, and gets an error that says so for everything else", async () => {
  await using belfry = await start();
  await belfry.text("task", "add", "Deploy", "--", "true");
  const { key } = JSON.parse(await belfry.text("--json", "trigger", "add", "CI", "--task", "Deploy")) as TriggerSecret;
  const fired = await belfry.asOther(["trigger", "fire"], key);
  // `belfry run logs` would not work on this socket
  expect(fired).toEqual({ code: 0, stderr: "", stdout: expect.stringMatching(/^Fired the trigger \(run_\w+\)\n$/) });
  const runs = async () => JSON.parse(await belfry.text("--json", "run", "list")) as { runs: unknown[] };
  for (const option of ["--wait", "--follow"])
    expect(await belfry.asOther(["trigger", "fire", option], key)).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "belfry: --wait and --follow need the daemon's own socket: this one shows no runs\nNothing was fired. Leave out --wait and --follow\n",
    });
  expect((await runs()).runs).toHaveLength(1);
  const own = await belfry.call(["trigger", "fire"], key);
  expect(own.stdout).toContain("Follow the run with: belfry run logs -f run_");
  const unknown = await belfry.asOther(["trigger", "fire"], `${key.slice(0, -4)}0000`);
  expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining("no trigger has this key")]);
  expect(await belfry.asOther(["task", "list"], "")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("this socket only fires triggers"),
  });
});

test("doctor and daemon status show the socket, and doctor reports changed permissions", async () => {
  await using belfry = await start();
  const { path } = belfry.daemon;
  const status = await belfry.text("daemon", "status");
  expect(status).toMatch(new RegExp(`^Fire socket +${path}$`, "m"));
  expect(status).toMatch(/^Version +\S+; this command: \d+\.\d+\.\d+$/m);
  expect((await belfry.call(["doctor"])).stdout).toMatch(
    new RegExp(`ok +fire socket +the daemon's group can fire at ${path} with a key`),
  );
  chmodSync(path, 0o600);
  const { code, stdout } = await belfry.call(["doctor"]);
  expect([code, stdout]).toEqual([1, expect.stringMatching(/ERROR +fire socket .* is not a socket with mode 0660/)]);
});

test("where nothing answers, a person is told to ask, and not to start a daemon there", async () => {
  await using dir = await tempDir();
  const socket = join(dir.path, "fire.sock");
  const fire = { stdin: "bfk_unknown", environment: { HOME: dir.path } };
  const expected = {
    code: 4,
    stdout: "",
    stderr: `belfry: the trigger was not fired: there is no socket at ${socket}
The daemon does not run, or its fire socket is off or at another path. Ask whoever runs the daemon
`,
  };
  expect(await callBelfry(["--socket", socket, "trigger", "fire"], fire)).toEqual(expected);
  const environment = { ...fire.environment, BELFRY_SOCKET: socket };
  expect(await callBelfry(["trigger", "fire"], { ...fire, environment })).toEqual(expected);
});
