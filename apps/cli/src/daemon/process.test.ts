import { tempDir, until } from "@belfry/test-kit";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findLockHolder, holdsSocket, isAlive, readDaemonFile } from "./process.ts";

test.runIf(process.platform === "linux")("a socket is held only by the process that listens on it", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "a.sock");
  const server = createServer().listen(path);
  const stranger = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  try {
    await until("the socket", () => holdsSocket(process.pid, path));
    expect(holdsSocket(process.pid, path)).toBe(true);
    expect(holdsSocket(stranger.pid!, path)).toBe(false);
    expect(holdsSocket(process.pid, join(dir.path, "b.sock"))).toBe(false);
  } finally {
    stranger.kill("SIGKILL");
    server.close();
  }
  await until("the stranger's end", () => !isAlive(stranger.pid!));
});

test.runIf(process.platform === "linux")(
  "a process that ended is not alive, though its parent never waits",
  async () => {
    // the shell's replacement knows nothing of its child; the shell itself could still wait for it
    const parent = spawn("/bin/sh", ["-c", "sleep 600 & echo $!; exec sleep 600"], {
      stdio: ["ignore", "pipe", "inherit"],
      // a group of its own, which ends as a whole
      detached: true,
    });
    try {
      const [text] = (await once(parent.stdout, "data")) as [Buffer];
      const pid = Number(text.toString());
      await until("the shell's replacement", () => readFileSync(`/proc/${parent.pid}/comm`, "utf8") === "sleep\n");
      expect(isAlive(pid)).toBe(true);
      process.kill(pid, "SIGKILL");
      await until("the end of the child", () => !isAlive(pid));
      expect(() => process.kill(pid, 0)).not.toThrow();
    } finally {
      process.kill(-parent.pid!, "SIGKILL");
    }
  },
);

const files: readonly (readonly [text: string, file: object | null])[] = [
  ['{"pid":123,"socket":"/a.sock"}', { pid: 123, socket: "/a.sock" }],
  ['{"pid":1,"socket":"/a.sock"}', null],
  ['{"pid":-5,"socket":"/a.sock"}', null],
  ['{"pid":"123","socket":"/a.sock"}', null],
  ['{"pid":123}', null],
  ['{"pid":12', null],
];
test.each(files)("a daemon.json with %s gives %j", async (text, file) => {
  await using dir = await tempDir();
  expect(readDaemonFile(dir.path)).toBeNull();
  await writeFile(join(dir.path, "daemon.json"), text);
  expect(readDaemonFile(dir.path)).toEqual(file);
});

test.runIf(process.platform === "linux")("only the process that holds a lock is found", async () => {
  await using dir = await tempDir();
  const lock = join(dir.path, "lock");
  expect(findLockHolder(lock)).toBeNull();
  const sqlite = createRequire(join(import.meta.dirname, "../../../../packages/server/package.json")).resolve(
    "better-sqlite3",
  );
  const hold = `const lock = new (require(${JSON.stringify(sqlite)}))(${JSON.stringify(lock)}); lock.exec("BEGIN EXCLUSIVE"); process.stdin.resume()`;
  const holder = spawn(process.execPath, ["-e", hold], { stdio: ["pipe", "ignore", "inherit"] });
  try {
    await until("the lock is taken", () => findLockHolder(lock) !== null);
    expect(findLockHolder(lock)).toBe(holder.pid);
    await writeFile(join(dir.path, "other"), "");
    expect(findLockHolder(join(dir.path, "other"))).toBeNull();
  } finally {
    holder.kill("SIGKILL");
  }
  await until("the lock is free", () => findLockHolder(lock) === null);
});
