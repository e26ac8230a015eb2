import { tempDir, until } from "@belfry/test-kit";
import { existsSync, readFileSync, statSync } from "node:fs";
import { copyFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { Agent } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createLog, type LogSink, systemClock } from "../../src/index.ts";
import { choosePaths } from "../../src/kernel/files/paths.ts";
import { callSocket, startDaemon } from "../support/harness.ts";
import { makeTask, runOnce } from "../support/tasks.ts";
import { useDaemonProcess } from "../support/processes/daemon-process.ts";

const daemons = useDaemonProcess();

/** A daemon in this process, with its log lines as `event path`. */
async function openDaemon(config: Parameters<typeof startDaemon>[0] = {}) {
  const logged: string[] = [];
  const sink: LogSink = ({ event, fields }) => logged.push(`${event} ${String(fields["path"])}`);
  const daemon = await startDaemon({ ...config, log: createLog(systemClock, "info", [sink]) });
  return { ...daemon, logged, place: (name: string) => join(daemon.dataDir, name) };
}

type Opened = Awaited<ReturnType<typeof openDaemon>>;

function change(daemon: Pick<Opened, "call">, name: string) {
  return daemon.call("POST", "/v1/groups", { name });
}

async function groupNames(daemon: Pick<Opened, "call">): Promise<readonly string[]> {
  const { json } = await daemon.call("GET", "/v1/groups");
  return json.groups.map(({ name }: { readonly name: string }) => name).sort();
}

const refused = { status: 503, json: { error: { code: "audit_unavailable" } } };

test("no change is acknowledged while the database is removed, and every change is once the file is put back", async () => {
  await using daemon = await openDaemon();
  const database = daemon.place("belfry.db");
  expect(await change(daemon, "before")).toMatchObject({ status: 201 });
  await rename(database, `${database}.aside`);
  expect(await change(daemon, "without")).toMatchObject(refused);
  expect(await groupNames(daemon)).toEqual(["before"]);
  await until("the fault is logged", () => daemon.logged.includes(`storage.broken ${database}`));
  await rename(`${database}.aside`, database);
  expect(await change(daemon, "after")).toMatchObject({ status: 201 });
  await until("its end is logged", () => daemon.logged.includes(`storage.recovered ${database}`));
  expect(await groupNames(daemon)).toEqual(["after", "before"]);
});

test("no change is acknowledged once another database replaces the file, and the next daemon uses the new file", async () => {
  await using dir = await tempDir("bf-");
  const database = join(dir.path, "belfry.db");
  {
    await using first = await openDaemon({ dataDir: dir.path });
    await change(first, "in the backup");
  }
  await copyFile(database, `${database}.backup`);
  {
    await using second = await openDaemon({ dataDir: dir.path });
    await change(second, "since");
    await rename(`${database}.backup`, database);
    expect(await change(second, "without")).toMatchObject(refused);
    await until("the fault is logged", () => second.logged.includes(`storage.broken ${database}`));
  }
  await using third = await openDaemon({ dataDir: dir.path });
  expect(await groupNames(third)).toEqual(["in the backup"]);
});

test.for(["-wal", "-shm"])(
  "nothing is lost when %s is removed, and the file is created again within moments",
  async (suffix) => {
    await using place = await tempDir();
    const dataDir = join(place.path, "data");
    const file = join(dataDir, `belfry.db${suffix}`);
    {
      await using daemon = await daemons.start({ dataDir });
      await change(daemon, "before");
      await rm(file);
      await change(daemon, "meanwhile");
      await until("a new file", () => existsSync(file));
      expect(statSync(file).mode & 0o777).toBe(0o600);
      await change(daemon, "after");
      await until("the log says so", () => /ERROR storage\.restored .*belfry\.db/.test(daemon.said.stdout));
      await daemon.kill();
    }
    await using next = await daemons.start({ dataDir });
    expect(await groupNames(next)).toEqual(["after", "before", "meanwhile"]);
  },
);

test("a removed socket is created again for its owner alone, and connections stay open", async () => {
  await using daemon = await openDaemon();
  using agent = Object.assign(new Agent({ keepAlive: true, maxSockets: 1 }), {
    [Symbol.dispose]: () => agent.destroy(),
  });
  const ask = () => callSocket(daemon.socketPath, { method: "GET", path: "/v1/health", agent });
  await ask();
  const [connection] = Object.values(agent.freeSockets).flat();
  await rm(daemon.socketPath);
  await until("it is there again", () => existsSync(daemon.socketPath));
  expect(statSync(daemon.socketPath).mode & 0o777).toBe(0o600);
  expect(await daemon.call("GET", "/v1/health")).toMatchObject({ status: 200 });
  await ask();
  expect(Object.values(agent.freeSockets).flat()).toEqual([connection]);
  await until("it is logged", () => daemon.logged.includes(`storage.restored ${daemon.socketPath}`));
});

async function openWithSocketIn(folder: string) {
  const dir = await tempDir("bf-");
  const socket = join(folder, "a.sock");
  const paths = choosePaths({ dataDir: dir.path, socket, config: null, runtimeDir: null, isRoot: false });
  const daemon = await openDaemon({ dataDir: dir.path, config: { paths } });
  const dispose = async (): Promise<void> => {
    await daemon[Symbol.asyncDispose]();
    await dir[Symbol.asyncDispose]();
  };
  return { ...daemon, [Symbol.asyncDispose]: dispose };
}

test("a socket is created again together with its removed directory", async () => {
  await using place = await tempDir("bs-");
  const folder = join(place.path, "run");
  await using daemon = await openWithSocketIn(folder);
  await rm(folder, { recursive: true });
  await until("it is there again", () => existsSync(daemon.socketPath));
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(await daemon.call("GET", "/v1/health")).toMatchObject({ status: 200 });
});

test("a file in the socket's place is not touched, and the socket is created once that file is gone", async () => {
  await using place = await tempDir("bs-");
  await using daemon = await openWithSocketIn(join(place.path, "run"));
  const socket = daemon.socketPath;
  const takeItsPlace = async (): Promise<void> => {
    await writeFile(`${socket}.other`, "not ours");
    await rename(`${socket}.other`, socket);
  };
  await takeItsPlace();
  await until("the fault is logged", () => daemon.logged.includes(`storage.broken ${socket}`));
  expect(await readFile(socket, "utf8")).toBe("not ours");
  await rm(socket);
  await until("it is back", () => existsSync(socket) && statSync(socket).isSocket());
  await takeItsPlace();
  await until(
    "the fault is logged again",
    () => daemon.logged.filter((line) => line === `storage.broken ${socket}`).length > 1,
  );
  await daemon.stop();
  expect(await readFile(socket, "utf8")).toBe("not ours");
});

test.for(["daemon.json", "sealing.key", "lock", "log"])(
  "%s is created again after it was removed, with the same content",
  async (name) => {
    await using daemon = await openDaemon();
    const path = daemon.place(name);
    await until("it is there", () => existsSync(path));
    const former = statSync(path).isFile() ? readFileSync(path) : null;
    await rm(path, { recursive: true });
    await until("it is logged", () => daemon.logged.includes(`storage.restored ${path}`));
    if (former !== null) expect(readFileSync(path)).toEqual(former);
    expect(statSync(path).mode & 0o077).toBe(0);
    expect(await runOnce(daemon, "exit 0")).toMatchObject({ state: "succeeded" });
  },
);

test("a daemon whose lock was removed is still the only daemon on its directory", async () => {
  await using place = await tempDir();
  const dataDir = join(place.path, "data");
  await using first = await daemons.start({ dataDir });
  await rm(join(dataDir, "lock"));
  await until("the lock is taken anew", () => existsSync(join(dataDir, "lock")));
  await using second = await daemons.spawn({ dataDir });
  expect(await second.ended).toBe(1);
  expect(second.said.stderr).toContain("another Belfry daemon is using this data directory");
  expect(await runOnce(first, "exit 0")).toMatchObject({ state: "succeeded" });
});

test("a daemon that was suspended while another replaced it exits, and does not affect the other", async () => {
  await using place = await tempDir();
  const dataDir = join(place.path, "data");
  await using first = await daemons.start({ dataDir });
  const task = await makeTask(first, "exit 0");
  process.kill(first.pid, "SIGSTOP");
  for (const name of ["lock", "belfry.sock"]) await rm(join(dataDir, name));
  await using second = await daemons.spawn({ dataDir });
  // a call could use a connection to the first daemon
  await until("the second daemon runs", () => second.said.stdout.includes("daemon.started"));
  process.kill(first.pid, "SIGCONT");
  expect(await first.ended).toBe(1);
  expect(first.said.stdout).toMatch(/ERROR daemon\.failed .*another Belfry daemon is using this data directory/);
  expect(JSON.parse(await readFile(join(dataDir, "daemon.json"), "utf8"))).toMatchObject({ pid: second.pid });
  // its runner may still be starting
  const isReady = async () => (await second.call("GET", `/v1/tasks/${task.id}`)).json.readiness === "ready";
  await until("a runner", isReady);
  expect(await second.call("POST", `/v1/tasks/${task.id}/run`)).toMatchObject({ status: 202 });
});

test("nothing is created in the place of a moved data directory, and everything works when it is back", async () => {
  await using place = await tempDir("bm-");
  const dataDir = join(place.path, "data");
  await mkdir(dataDir);
  await using daemon = await openDaemon({ dataDir });
  await rename(dataDir, `${dataDir}.moved`);
  await until("the fault is logged", () => daemon.logged.includes(`storage.broken ${dataDir}`));
  expect(existsSync(dataDir)).toBe(false);
  await rename(`${dataDir}.moved`, dataDir);
  await until("its end is logged", () => daemon.logged.includes(`storage.recovered ${dataDir}`));
  expect(await change(daemon, "after")).toMatchObject({ status: 201 });
  expect(await runOnce(daemon, "exit 0")).toMatchObject({ state: "succeeded" });
});
