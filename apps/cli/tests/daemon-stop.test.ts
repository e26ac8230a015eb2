import { tempDir, until } from "@belfry/test-kit";
import { existsSync, readFileSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { endRunners } from "../../../packages/server/tests/support/harness.ts";
import { findLockHolder } from "../src/daemon/process.ts";
import { useCommand } from "./bundled.ts";

const { start, run } = useCommand();

const runsIn = async (state: string, dataDir: string): Promise<readonly unknown[]> => {
  const { stdout } = await run(["run", "list", "--state", state, "--json"], dataDir);
  return JSON.parse(stdout).runs;
};

async function startLong(dataDir: string): Promise<void> {
  await run(["task", "add", "Long", "--", "sleep", "600"], dataDir);
  await run(["task", "run", "Long"], dataDir);
  await until("the run", async () => (await runsIn("running", dataDir)).length === 1);
}

test("the daemon is started, found, and stopped by its process id, and running tasks continue", async () => {
  await using dir = await tempDir();
  await using daemon = start(["daemon", "run", "--log-level", "warn"], dir.path);
  try {
    await until("the daemon", () => existsSync(join(dir.path, "daemon.json")));
    const status = await run(["daemon", "status", "--json"], dir.path);
    expect([status.code, JSON.parse(status.stdout)]).toMatchObject([
      0,
      { status: "running", pid: daemon.child.pid, data_dir: dir.path },
    ]);
    await startLong(dir.path);
    expect(await run(["doctor"], dir.path)).toMatchObject({ code: 0, stdout: expect.stringMatching(/ok\tdaemon/) });
    expect(await run(["daemon", "stop"], dir.path)).toMatchObject({
      code: 0,
      stdout:
        "The daemon has stopped. 1 task keeps running, and the next daemon takes it over. To end it, start the daemon, then run: belfry daemon stop --kill\n",
    });
    expect(await daemon.ended()).toMatchObject({ code: 0 });
    expect((await run(["daemon", "status"], dir.path)).code).toBe(4);

    await using next = start(["daemon", "run", "--log-level", "warn"], dir.path);
    await until("the next daemon", () => existsSync(join(dir.path, "daemon.json")));
    expect(JSON.parse((await run(["run", "show", "Long", "--json"], dir.path)).stdout)).toMatchObject({
      state: "running",
    });
    expect(await run(["daemon", "stop", "--kill"], dir.path)).toMatchObject({
      code: 0,
      stdout: "The daemon has stopped\n",
    });
    expect(await next.ended()).toMatchObject({ code: 0 });
  } finally {
    await endRunners(dir.path);
  }
});

test("the status of a daemon that is still starting waits for it", async () => {
  await using dir = await tempDir();
  try {
    await using daemon = start(["daemon", "run", "--log-level", "warn"], dir.path);
    await until("the lock", () => findLockHolder(join(dir.path, "lock")));
    expect(await run(["daemon", "status"], dir.path)).toMatchObject({ code: 0 });
    await run(["daemon", "stop"], dir.path);
    await daemon.ended();
  } finally {
    await endRunners(dir.path);
  }
});

test("a stop with --kill ends although a task is always due, and names what tasks left in the background", async () => {
  await using dir = await tempDir();
  const left = join(dir.path, "left.pid");
  try {
    await using daemon = start(["daemon", "run", "--log-level", "warn"], dir.path);
    await until("the daemon", () => existsSync(join(dir.path, "belfry.sock")));
    // first, because the runs of the other task soon take every slot
    await run(["task", "add", "Leave", "--shell", `setsid sleep 601 & echo $! > ${left}`], dir.path);
    expect((await run(["task", "run", "Leave", "--follow"], dir.path)).code).toBe(0);
    const pid = readFileSync(left, "utf8").trim();
    // a run lives on for two seconds after its cancel, and the next one is due each second
    const script = "trap : TERM; while :; do sleep 600; done";
    const busy = ["Busy", "--every", "1s", "--limit", "50", "--kill-grace", "2s", "--shell", script];
    await run(["task", "add", ...busy], dir.path);
    await until("two runs at once", async () => (await runsIn("running", dir.path)).length > 1);
    expect(await run(["daemon", "stop", "--kill"], dir.path)).toMatchObject({
      code: 0,
      stdout: `The daemon has stopped. 1 process that a task left in the background still runs: ${pid} (sleep). To end it: kill ${pid}\n`,
    });
    expect(await daemon.ended()).toMatchObject({ code: 0 });
    const again = await run(["daemon", "stop", "--kill", "--data-dir", dir.path], dir.path);
    expect(again.stderr).toContain(`If one of its processes belongs to no run, end it with kill: ${pid} (sleep)\n`);
    process.kill(Number(pid), "SIGKILL");

    // the hold of the stop does not last
    await using next = start(["daemon", "run", "--log-level", "warn"], dir.path);
    await until("a run of the next daemon", async () => {
      const { stdout } = await run(["ps", "--json"], dir.path);
      return stdout.includes("Busy");
    });
    expect((await run(["daemon", "stop", "--kill"], dir.path)).code).toBe(0);
    expect(await next.ended()).toMatchObject({ code: 0 });
  } finally {
    await endRunners(dir.path);
  }
});

test("without its daemon, a stop says that tasks may still run, as long as a runner is alive", async () => {
  await using dir = await tempDir();
  const stop = () => run(["daemon", "stop", "--kill", "--data-dir", dir.path], dir.path);
  try {
    expect(await stop()).toMatchObject({ code: 4, stderr: expect.stringContaining("The daemon is not running (") });
    await using daemon = start(["daemon", "run", "--log-level", "warn"], dir.path);
    await until("the daemon", () => existsSync(join(dir.path, "daemon.json")));
    await startLong(dir.path);
    daemon.child.kill("SIGKILL");
    await daemon.ended();
    const { code, stdout, stderr } = await stop();
    expect([code, stdout]).toEqual([4, ""]);
    const belfry = `belfry --data-dir ${dir.path}`;
    expect(stderr).toMatch(
      /^belfry: the daemon is not running, but its tasks may still run: its runner, process \d+, is alive\n/,
    );
    expect(stderr).toContain(`start the daemon with: ${belfry} daemon run\n`);
    expect(stderr).toContain(`Then run: ${belfry} daemon stop --kill\n`);
    // as it says
    await using next = start(["daemon", "run", "--log-level", "warn"], dir.path);
    await until("the next daemon", () => existsSync(join(dir.path, "belfry.sock")));
    await until("the next daemon answers", async () => (await run(["daemon", "status"], dir.path)).code === 0);
    expect(await stop()).toMatchObject({ code: 0, stdout: "The daemon has stopped\n" });
    expect(await next.ended()).toMatchObject({ code: 0 });
  } finally {
    await endRunners(dir.path);
  }
  expect(await stop()).toMatchObject({ code: 4, stderr: expect.stringContaining("The daemon is not running (") });
});

test("with an outdated daemon.json the daemon itself is stopped, and no process with its former id", async () => {
  await using dir = await tempDir();
  await using daemon = start(["daemon", "run", "--log-level", "error"], dir.path);
  await using stranger = start(["events"], dir.path);
  try {
    await until("the daemon", () => existsSync(join(dir.path, "daemon.json")));
    const socket = join(dir.path, "belfry.sock");
    await writeFile(join(dir.path, "daemon.json"), JSON.stringify({ pid: stranger.child.pid, socket }));
    expect(await run(["daemon", "stop"], dir.path)).toMatchObject({ code: 0 });
    expect(await daemon.ended()).toMatchObject({ code: 0 });
  } finally {
    await endRunners(dir.path);
  }
});

test("a daemon whose socket cannot be reached is found by its lock, and stopped", async () => {
  await using dir = await tempDir();
  await using daemon = start(["daemon", "run", "--log-level", "error"], dir.path);
  try {
    const socket = join(dir.path, "belfry.sock");
    await until("the daemon", () => existsSync(join(dir.path, "daemon.json")));
    // prevents the daemon from recreating the socket
    await writeFile(`${socket}.other`, "");
    await rename(`${socket}.other`, socket);
    const { pid } = daemon.child;
    expect(await run(["daemon", "status"], dir.path)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining(`the daemon is running as process ${pid}, but does not respond at ${socket}`),
    });
    await rm(join(dir.path, "daemon.json"));
    expect(await run(["daemon", "run"], dir.path)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("another Belfry daemon is using this data directory"),
    });
    expect(await run(["daemon", "stop", "--wait"], dir.path)).toMatchObject({ code: 4 });
    expect(await run(["daemon", "stop"], dir.path)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^The daemon has stopped\. Tasks that were running keep running/),
    });
    expect(await daemon.ended()).toMatchObject({ code: 0 });
    await rm(socket);
    for (const verb of ["status", "stop"]) expect((await run(["daemon", verb], dir.path)).code).toBe(4);
  } finally {
    await endRunners(dir.path);
  }
});
