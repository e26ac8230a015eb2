import { tempDir, until } from "@belfry/test-kit";
import { execFileSync, spawn } from "node:child_process";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { callSocket, endRunners } from "../support/harness.ts";
import { type Daemon, runOnce } from "../support/tasks.ts";
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

test("a daemon whose lines nobody reads answers, runs tasks and stops", async () => {
  await using place = await tempDir("bc-");
  await using bundle = await bundleDaemon();
  using pipe = fullPipe(place.path);
  const dataDir = join(place.path, "data");
  const child = spawn(process.execPath, [bundle.belfryd, "--data-dir", dataDir, "--log-level", "debug"], {
    env: { PATH: "/usr/bin:/bin", HOME: "/tmp" },
    stdio: ["ignore", pipe.writer, "ignore"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  await using _ended = {
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await ended;
      await endRunners(dataDir);
    },
  };
  const daemon: Daemon = {
    call: (method, path, body) => callSocket(join(dataDir, "belfry.sock"), { method, path, body }),
  };
  await until("the daemon", () =>
    daemon.call("GET", "/v1/health").then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
  expect(await runOnce(daemon, "echo done")).toMatchObject({ state: "succeeded" });
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});
