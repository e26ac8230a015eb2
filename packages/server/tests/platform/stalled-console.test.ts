import { tempDir, until } from "@belfry/test-kit";
import { execFileSync, spawn, type StdioOptions } from "node:child_process";
import { closeSync, constants, existsSync, openSync, readlinkSync, writeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { callSocket, endRunners } from "../support/harness.ts";
import { type Daemon, listRuns, made2xx, makeTask, runOnce } from "../support/tasks.ts";
import { bundleDaemon } from "../support/processes/bundle.ts";

/** A full pipe, which accepts no further byte; its reader never reads. */
function fullPipe(folder: string) {
  const path = join(folder, "full");
  execFileSync("mkfifo", [path]);
  const reader = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  for (const size of [4_096, 1]) {
    try {
      for (;;) writeSync(reader, Buffer.alloc(size));
    } catch {
      // the pipe is full
    }
  }
  const writer = openSync(path, constants.O_WRONLY);
  return {
    writer,
    [Symbol.dispose]: () => {
      closeSync(writer);
      closeSync(reader);
    },
  };
}

/** Whether the terminal of a process accepts no further byte. If it does, it gets one. */
function isHeld(pid: number): boolean {
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
  const terminal = openSync(readlinkSync(`/proc/${pid}/fd/1`), O_WRONLY | O_NONBLOCK | O_NOCTTY);
  try {
    writeSync(terminal, ".");
    return false;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return true;
    throw error;
  } finally {
    closeSync(terminal);
  }
}

/** Starts a daemon with this command, and ends it with its scope. */
function startWith(words: readonly string[], dataDir: string, stdio: StdioOptions) {
  const [command, ...rest] = words;
  const child = spawn(command!, rest, { env: { PATH: "/usr/bin:/bin", HOME: "/tmp" }, stdio });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const call: Daemon["call"] = (method, path, body) => callSocket(join(dataDir, "belfry.sock"), { method, path, body });
  return {
    child,
    ended,
    call,
    ready: () =>
      until("the daemon", () =>
        call("GET", "/v1/health").then(
          ({ status }) => status === 200,
          () => false,
        ),
      ),
    /** The daemon may have another process than the command. */
    daemonPid: async () => (JSON.parse(await readFile(join(dataDir, "daemon.json"), "utf8")) as { pid: number }).pid,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await ended;
      await endRunners(dataDir);
    },
  };
}

test("a daemon whose lines nobody reads answers, runs tasks and stops", async () => {
  await using place = await tempDir("bc-");
  await using bundle = await bundleDaemon();
  using pipe = fullPipe(place.path);
  const dataDir = join(place.path, "data");
  const words = [process.execPath, bundle.belfryd, "--data-dir", dataDir, "--log-level", "debug"];
  await using daemon = startWith(words, dataDir, ["ignore", pipe.writer, "ignore"]);
  await daemon.ready();
  expect(await runOnce(daemon, "echo done")).toMatchObject({ state: "succeeded" });
  daemon.child.kill("SIGTERM");
  expect(await daemon.ended).toBe(0);
});

test("a daemon in a terminal that is held by Ctrl-S answers, runs tasks and stops, and its lines come later", async () => {
  await using place = await tempDir("bc-");
  await using bundle = await bundleDaemon();
  const dataDir = join(place.path, "data");
  const command = `exec '${process.execPath}' '${bundle.belfryd}' --data-dir '${dataDir}' --log-level debug`;
  await using daemon = startWith(["script", "-qefc", command, "/dev/null"], dataDir, ["pipe", "pipe", "ignore"]);
  const { stdin, stdout } = daemon.child;
  let shown = "";
  stdout!.setEncoding("utf8").on("data", (text: string) => (shown += text));
  await daemon.ready();
  await until("its greeting", () => shown.includes("Belfry is running"));
  stdin!.write("\x13");
  const daemonPid = await daemon.daemonPid();
  await until("the terminal is held", () => isHeld(daemonPid));
  const run = await runOnce(daemon, "echo held");
  expect(run).toMatchObject({ state: "succeeded" });
  expect(isHeld(daemonPid)).toBe(true);
  expect(shown).not.toContain(run.id);
  stdin!.write("\x11");
  await until("its lines", () => shown.includes(run.id));
  stdin!.write("\x13");
  process.kill(daemonPid, "SIGTERM");
  expect(await daemon.ended).toBe(0);
});

test("a daemon under a dead ssh, whose terminal nobody reads, runs its schedules and stops", async () => {
  await using place = await tempDir("bc-");
  await using bundle = await bundleDaemon();
  const dataDir = join(place.path, "data");
  const command = `exec '${process.execPath}' '${bundle.belfryd}' --data-dir '${dataDir}' --log-level debug`;
  await using daemon = startWith(["script", "-qefc", command, "/dev/null"], dataDir, ["pipe", "pipe", "ignore"]);
  await daemon.ready();
  const daemonPid = await daemon.daemonPid();
  // the program that has the other side of the terminal no longer runs, as ssh without a network
  daemon.child.kill("SIGSTOP");
  const task = await makeTask(daemon, "true");
  await made2xx(daemon.call("POST", "/v1/schedules", { task_id: task.id, kind: "interval", every: "1s" }));
  // more lines than a terminal holds
  for (let number = 0; number < 300; number++) await daemon.call("GET", `/v1/tasks/${task.id}`);
  for (let number = 0; number < 50; number++) await runOnce(daemon, ":");
  const count = async () => (await listRuns(daemon, `task_id=${task.id}&state=succeeded&limit=1000`)).length;
  const before = await count();
  expect(await until("three more runs", async () => (await count()) >= before + 3)).toBe(true);
  process.kill(daemonPid, "SIGTERM");
  await until("the daemon has stopped", () => !existsSync(join(dataDir, "belfry.sock")));
});
