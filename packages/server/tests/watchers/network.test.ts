import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { canMountFuse, mountFuse } from "../support/processes/fuse.ts";
import { expectRuns, useDaemon, watch } from "../support/watchers.ts";

const daemon = useDaemon();

/** Health reports a mount that has not answered for thirty seconds, and its last answer may be older than its stop. */
const surelyPollingMs = 15_000;

test.skipIf(!canMountFuse)("files on a FUSE mount are compared at intervals, and health says so", async () => {
  await using mount = await mountFuse();
  await using watching = await watch(daemon(), {
    place: mount.path,
    arrange: (root) => writeFileSync(join(root, "former"), "former"),
    health: "polling",
  });
  expect((await watching.read()).health.reason).toContain("network or FUSE file system");
  // another program of the server writes it, which notifies nobody here
  writeFileSync(join(mount.source, "in", "new"), "new");
  await expectRuns(watching, ["new"]);
});

test.skipIf(!canMountFuse)("a mount below a recursive path is left out, and health says so", async () => {
  await using mount = await mountFuse();
  await using watching = await watch(daemon(), {
    watcher: { path: join(mount.path, ".."), recursive: true, pattern: "*.csv" },
    health: "degraded",
  });
  expect((await watching.read()).health.reason).toContain("below the path are not observed");
});

test.skipIf(!canMountFuse)(
  "a file server that does not answer holds neither the API nor other watchers, and its changes are found later",
  async () => {
    await using mount = await mountFuse();
    await using remote = await watch(daemon(), { place: mount.path, health: "polling" });
    await using local = await watch(daemon());
    const stoppedAt = performance.now();
    mount.stop();
    try {
      // long enough that the mount is looked at meanwhile
      for (let round = 0; round < 3; round++) {
        writeFileSync(local.path(`local-${round}`), "");
        await expectRuns(local, [`local-${round}`]);
        const { state } = (await remote.read()).health;
        const isLate = performance.now() - stoppedAt > surelyPollingMs;
        expect(state).toBeOneOf(isLate ? ["polling", "error"] : ["polling"]);
        await new Promise((resolve) => setTimeout(resolve, 2_000));
      }
      mkdirSync(join(mount.source, "in"), { recursive: true });
      writeFileSync(join(mount.source, "in", "meanwhile"), "");
    } finally {
      mount.continue();
    }
    await expectRuns(remote, ["meanwhile"]);
  },
);

test.skipIf(!canMountFuse)(
  "a file server that does not answer for long is reported by health, and observed again once it answers",
  async () => {
    await using mount = await mountFuse();
    await using remote = await watch(daemon(), { place: mount.path, health: "polling" });
    mount.stop();
    try {
      const { health } = await remote.untilHealth("error", 300_000);
      expect(health.reason).toContain("does not respond");
      writeFileSync(join(mount.source, "in", "meanwhile"), "");
    } finally {
      mount.continue();
    }
    await remote.untilHealth("polling", 300_000);
    await expectRuns(remote, ["meanwhile"]);
  },
);
