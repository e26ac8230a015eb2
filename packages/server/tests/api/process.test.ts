import { entriesBelow, tempDir, until } from "@belfry/test-kit";
import BetterSqlite from "better-sqlite3";
import { existsSync, statSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useDaemonProcess } from "../support/processes/daemon-process.ts";
import { openStream } from "../support/stream.ts";

const daemons = useDaemonProcess();

test("under a umask of 000, every folder is 0700 and every file 0600, the socket too", async () => {
  await using daemon = await daemons.start({ umask: "000" });
  const { json: task } = await daemon.call("POST", "/v1/tasks", {
    name: "t",
    command: { kind: "shell", script: "echo out; echo err >&2" },
    standard_input: "in",
  });
  const { json: run } = await daemon.call("POST", `/v1/tasks/${task.id}/run`);
  await until("the run's end", async () => (await daemon.call("GET", `/v1/runs/${run.id}`)).json.ended_at);
  const live = join(daemon.dataDir, "attempts", "live");
  await until("the attempt's files to be filed", async () => (await readdir(live)).length === 0);
  const entries = await entriesBelow(daemon.dataDir);
  const names = entries.map(({ name }) => name);
  for (const name of ["belfry.db", "belfry.db-wal", "sealing.key", "lock", "daemon.json", "belfry.sock", "belfry.log"])
    expect(names).toContain(name);
  const open = entries.filter((entry) => {
    // the claim of an attempt goes away once its files have been filed
    const found = statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false });
    return found !== undefined && (found.mode & 0o777) !== (entry.isDirectory() ? 0o700 : 0o600);
  });
  expect(open.map(({ parentPath, name }) => join(parentPath, name))).toEqual([]);
  expect(statSync(daemon.dataDir).mode & 0o777).toBe(0o700);
});

test("a directory that others can read is made private", async () => {
  await using dir = await tempDir("bf-");
  const dataDir = join(dir.path, "data");
  await mkdir(dataDir);
  await chmod(dataDir, 0o755);
  await using daemon = await daemons.start({ dataDir });
  expect(statSync(daemon.dataDir).mode & 0o777).toBe(0o700);
});

test("a second daemon on one directory is refused immediately with one sentence, and the first keeps running", async () => {
  await using daemon = await daemons.start();
  await using second = await daemons.spawn({ dataDir: daemon.dataDir });
  expect(await second.ended).toBe(1);
  expect(second.output()).toBe(
    `belfryd: another Belfry daemon is using this data directory (${daemon.dataDir}/lock is locked): stop it first with \`belfry --data-dir ${daemon.dataDir} daemon stop\`\n`,
  );
  expect((await daemon.call("GET", "/v1/health")).status).toBe(200);
  expect(JSON.parse(await readFile(join(daemon.dataDir, "daemon.json"), "utf8"))).toEqual({
    pid: daemon.pid,
    socket: daemon.socketPath,
  });
});

test("a killed daemon leaves nothing that blocks the next, and acknowledged changes are there", async () => {
  await using daemon = await daemons.start();
  const { json: group } = await daemon.call("POST", "/v1/groups", { name: "answered for" });
  await daemon.kill();
  expect(existsSync(daemon.socketPath)).toBe(true);
  await using next = await daemons.start({ dataDir: daemon.dataDir });
  expect((await next.call("GET", `/v1/groups/${group.id}`)).json).toEqual(group);
});

test("a stop ends fifty open streams, removes socket and daemon.json, and exits with 0", async () => {
  await using daemon = await daemons.start();
  const streams = await Promise.all(Array.from({ length: 50 }, () => openStream(daemon.socketPath, "/v1/events")));
  expect(await daemon.stop()).toBe(0);
  await Promise.all(streams.map((stream) => stream.untilEnd()));
  expect(await readdir(daemon.dataDir)).not.toContain("daemon.json");
  expect(await readdir(daemon.dataDir)).not.toContain("belfry.sock");
  expect(daemon.output()).toContain("daemon.stopped");
});

test("a failed start prints its reason in one line and exits with 1, or with 2 for a mistake in the configuration", async () => {
  const cases: readonly (readonly [string, (dataDir: string) => Promise<unknown>, RegExp])[] = [
    [
      "a database of another program",
      (dir) => writeFile(join(dir, "belfry.db"), "this is no database, but a text".repeat(100)),
      /belfry\.db is damaged/,
    ],
    [
      "a key without its database",
      (dir) => writeFile(join(dir, "sealing.key"), "short"),
      /belfry\.db is missing, but \S+sealing\.key of an earlier database exists/,
    ],
    [
      "a configuration that is not TOML",
      (dir) => writeFile(join(dir, "config.toml"), "a = = b"),
      /config\.toml is not valid TOML at line 1/,
    ],
    [
      "a configuration with a mistake",
      (dir) => writeFile(join(dir, "config.toml"), '[log]\nlevel = "loud"'),
      /config\.toml is not valid: log\.level must be one of/,
    ],
    [
      "a file in the place of the socket",
      (dir) => writeFile(join(dir, "belfry.sock"), ""),
      /belfry\.sock exists but is not a socket/,
    ],
    ["a lock that is a folder", (dir) => mkdir(join(dir, "lock")), /the lock file .*lock cannot be used/],
  ];
  await Promise.all(
    cases.map(async ([what, prepare, sentence]) => {
      await using dir = await tempDir("bf-");
      await prepare(dir.path);
      await using daemon = await daemons.spawn({ dataDir: dir.path });
      expect(await daemon.ended, what).toBe(what.startsWith("a configuration") ? 2 : 1);
      expect(daemon.output(), what).toMatch(sentence);
      expect(daemon.output().match(/^belfryd: .*$/gm), what).toHaveLength(1);
      expect(daemon.output(), what).not.toMatch(/^ {4}at /m);
    }),
  );
});

test.each(["/proc/nope", "/proc/nope/deep/er", "/proc/1/nope", "/dev/null/data", "/sys/nope"])(
  "the data directory %s, which cannot be made, ends the start at once and in one sentence",
  async (dataDir) => {
    await using daemon = await daemons.spawn({ dataDir });
    expect(await daemon.ended).toBe(1);
    expect(daemon.output()).toMatch(/^belfryd: \/(?:proc|dev|sys)[^\n]* cannot be (?:used|created)[^\n]*\n$/);
  },
);

test("a path too long for a socket is refused before anything is created", async () => {
  await using dir = await tempDir("bf-");
  const dataDir = join(dir.path, "x".repeat(100));
  await using daemon = await daemons.spawn({ dataDir });
  expect(await daemon.ended).toBe(1);
  expect(daemon.output()).toMatch(
    /^belfryd: the socket path .* is too long \(\d+ bytes; the system allows 103\): choose a shorter --data-dir or --socket\n$/,
  );
});

test("a socket on which another program listens is not replaced", async () => {
  await using dir = await tempDir("bf-");
  const path = join(dir.path, "belfry.sock");
  const server = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => server.listen(path, resolve));
  await using daemon = await daemons.spawn({ dataDir: dir.path });
  expect(await daemon.ended).toBe(1);
  expect(daemon.output()).toContain(`belfryd: another program is listening on the socket ${path}`);
  expect(existsSync(path)).toBe(true);
  await new Promise((resolve) => server.close(resolve));
});

test("a missing or foreign key stops the start: no secret can be opened with it", async () => {
  await using daemon = await daemons.start();
  await daemon.call("POST", "/v1/tasks", { name: "t", environment: { A: "1" } });
  await daemon.stop();
  const key = join(daemon.dataDir, "sealing.key");
  const former = await readFile(key);
  await writeFile(key, Buffer.alloc(32, 7));
  await using other = await daemons.spawn({ dataDir: daemon.dataDir });
  expect([await other.ended, other.output()]).toEqual([
    1,
    "belfryd: sealing.key does not belong to this database: restore both from the same backup\n",
  ]);
  await writeFile(key, "short");
  await using short = await daemons.spawn({ dataDir: daemon.dataDir });
  expect([await short.ended, short.output()]).toEqual([
    1,
    `belfryd: the sealing key ${key} is damaged (5 bytes instead of 32): restore it from a backup\n`,
  ]);
  await rm(key);
  await using none = await daemons.spawn({ dataDir: daemon.dataDir });
  expect([await none.ended, none.output()]).toEqual([
    1,
    `belfryd: the sealing key ${key} of this database is missing: restore it from a backup, or move ${daemon.dataDir} away to start with an empty database\n`,
  ]);
  await writeFile(key, former, { mode: 0o600 });
  await using again = await daemons.start({ dataDir: daemon.dataDir });
  const { json } = await again.call("GET", "/v1/tasks");
  expect((await again.call("GET", `/v1/tasks/${json.tasks[0].id}/environment`)).json).toEqual({
    environment: { A: "1" },
  });
});

test("a first start that was interrupted before the key was created is completed by the next", async () => {
  await using daemon = await daemons.start();
  await daemon.stop();
  const sqlite = new BetterSqlite(join(daemon.dataDir, "belfry.db"));
  sqlite.exec("DELETE FROM meta");
  sqlite.close();
  await rm(join(daemon.dataDir, "sealing.key"));
  await using again = await daemons.start({ dataDir: daemon.dataDir });
  expect((await again.call("POST", "/v1/tasks", { name: "t", environment: { A: "1" } })).status).toBe(201);
});

test("a socket that is a dangling link is reported in one sentence", async () => {
  await using dir = await tempDir("bf-");
  await symlink(join(dir.path, "nowhere"), join(dir.path, "belfry.sock"));
  await using daemon = await daemons.spawn({ dataDir: dir.path });
  expect(await daemon.ended).toBe(1);
  expect(daemon.output()).toMatch(/^belfryd: the socket .*belfry\.sock cannot be opened/m);
});

test("the log has one JSON object per line, and the terminal one readable line", async () => {
  await using daemon = await daemons.start();
  await daemon.stop();
  const lines = (await readFile(join(daemon.dataDir, "log", "belfry.log"), "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ event }) => event)).toEqual(
    expect.arrayContaining(["daemon.started", "daemon.stopping", "daemon.stopped"]),
  );
  for (const line of lines) {
    expect(line).toMatchObject({
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      level: expect.stringMatching(/^(debug|info|warn|error)$/),
    });
  }
  expect(daemon.output()).toMatch(/^\d\d:\d\d:\d\d\.\d{3} {2}daemon\.started +version=1\.4\.0 pid=\d+/m);
});
