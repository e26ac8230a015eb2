import { tempDir, until } from "@belfry/test-kit";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, utimesSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import {
  type DaemonProcess,
  useDaemonProcess,
} from "../../../../packages/server/tests/support/processes/daemon-process.ts";
import { callBelfry } from "../call.ts";

const daemons = useDaemonProcess();
const program = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));

/** Makes a database whose backup takes a while. */
async function fill(daemon: DaemonProcess): Promise<void> {
  for (let count = 0; count < 200; count++) {
    const command = { kind: "shell", script: `: ${String(count).repeat(100_000 / 3)}`.slice(0, 100_000) };
    await daemon.call("POST", "/v1/tasks", { name: `task ${count}`, command });
  }
}

test("a daemon that is killed during a backup leaves no file under its name, and after the next start nothing at all", async () => {
  await using place = await tempDir("bf-");
  await using target = await tempDir("bf-");
  const dataDir = place.path;
  const copies = join(dataDir, "backup.tmp");
  const file = join(target.path, "belfry.tar");
  {
    await using daemon = await daemons.start({ dataDir });
    await fill(daemon);
    const backup = callBelfry(["backup", "create", file], { environment: { BELFRY_DATA_DIR: dataDir } });
    await until("the copy", () => existsSync(copies) && readdirSync(copies).length > 0);
    process.kill(daemon.pid, "SIGKILL");
    const { code } = await backup;
    expect(code).not.toBe(0);
    expect(readdirSync(target.path)).toEqual([]);
  }
  expect(readdirSync(copies).length).toBeGreaterThan(0);
  await using daemon = await daemons.start({ dataDir });
  expect(existsSync(copies)).toBe(false);
  const environment = { BELFRY_DATA_DIR: daemon.dataDir };
  expect(await callBelfry(["backup", "create", file], { environment })).toMatchObject({ code: 0 });
  expect(readdirSync(target.path)).toEqual(["belfry.tar"]);
  expect(readdirSync(copies)).toEqual([]);
});

test("a command that is killed leaves no file under its name; its daemon makes the next backup, which removes the rest", async () => {
  await using target = await tempDir("bf-");
  await using daemon = await daemons.start();
  await fill(daemon);
  const file = join(target.path, "belfry.tar");
  const environment = { BELFRY_DATA_DIR: daemon.dataDir };
  const words = ["--conditions=@belfry/source", program, "backup", "create", file];
  const killMidway = async () => {
    const command = spawn(process.execPath, words, { env: { ...process.env, ...environment }, stdio: "ignore" });
    const ended = once(command, "close");
    await until("the unfinished file", () => readdirSync(target.path).length > 0);
    command.kill("SIGKILL");
    await ended;
  };
  await killMidway();
  // a command that was seen too late has finished
  for (; existsSync(file); await killMidway()) await rm(file);
  const [unfinished, ...others] = readdirSync(target.path);
  expect(others).toEqual([]);
  expect(unfinished).toMatch(/^\.belfry-backup-.*\.part$/);

  const create = async () => (await callBelfry(["backup", "create", file], { environment })).code === 0;
  await until("the next backup", create);
  expect(readdirSync(target.path).toSorted()).toEqual([unfinished, "belfry.tar"]);
  expect(await callBelfry(["backup", "check", file])).toMatchObject({ code: 0 });
  utimesSync(join(target.path, unfinished!), 0, 0);
  expect(await callBelfry(["backup", "create", `${file}.2`], { environment })).toMatchObject({ code: 0 });
  expect(readdirSync(target.path).toSorted()).toEqual(["belfry.tar", "belfry.tar.2"]);
  expect(readdirSync(join(daemon.dataDir, "backup.tmp"))).toEqual([]);
});
