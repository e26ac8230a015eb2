import { type Client, ConnectionError } from "@belfry/client";
import { connectLocal } from "@belfry/client/local";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { findRunningDaemon } from "../src/daemon/running.ts";
import type { Host } from "../src/host.ts";

const unanswered = new ConnectionError("refused", { code: "ECONNREFUSED" });

test.runIf(process.platform === "linux")(
  "a daemon that starts to listen just after it was asked is asked again",
  async () => {
    await using daemon = await startDaemon();
    const client = connectLocal({ socketPath: daemon.socketPath });
    const file = join(daemon.dataDir, "daemon.json");
    renameSync(file, `${file}.later`);
    let asked = 0;
    const starting = {
      runtimeInfo: {
        get: () => {
          asked += 1;
          if (asked > 1) return client.runtimeInfo.get();
          renameSync(`${file}.later`, file);
          return Promise.reject(unanswered);
        },
      },
    } as unknown as Client;
    const location = { socket: null, dataDir: daemon.dataDir, profile: null };
    const host = { environment: {}, now: Date.now } as unknown as Host;
    expect(await findRunningDaemon(starting, location, host)).toMatchObject({ pid: process.pid });
    expect(asked).toBe(2);

    // one that listened already, and does not answer, is not waited for
    const silent = { runtimeInfo: { get: () => Promise.reject(unanswered) } } as unknown as Client;
    await expect(findRunningDaemon(silent, location, host)).rejects.toThrow(
      `the daemon is running as process ${process.pid}, but does not respond at ${daemon.socketPath}`,
    );
  },
);
