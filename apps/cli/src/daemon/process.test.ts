import { tempDir, until } from "@belfry/test-kit";
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { holdsSocket, isAlive, readDaemonFile } from "./process.ts";

test.runIf(process.platform === "linux")("only the process that listens on a socket is said to hold it", async () => {
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

const files: readonly (readonly [text: string, file: object | null])[] = [
  ['{"pid":123,"socket":"/a.sock"}', { pid: 123, socket: "/a.sock" }],
  ['{"pid":1,"socket":"/a.sock"}', null],
  ['{"pid":-5,"socket":"/a.sock"}', null],
  ['{"pid":"123","socket":"/a.sock"}', null],
  ['{"pid":123}', null],
  ['{"pid":12', null],
];
test.each(files)("a daemon's file that says %s names %j", async (text, file) => {
  await using dir = await tempDir();
  expect(readDaemonFile(dir.path)).toBeNull();
  await writeFile(join(dir.path, "daemon.json"), text);
  expect(readDaemonFile(dir.path)).toEqual(file);
});
