import { tempDir } from "@belfry/test-kit";
import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useDaemonProcess } from "../support/processes/daemon-process.ts";
import { canRunAsStranger, stranger } from "../support/processes/privileges.ts";
import { makeTask, untilReady } from "../support/tasks.ts";
import { expectRuns, watch, type WatchOptions } from "../support/watchers.ts";

const daemons = useDaemonProcess();
const isRoot = process.getuid?.() === 0;

/** A watcher of a daemon that is not root: nothing forbids root to read. */
async function open(options: WatchOptions) {
  const data = await tempDir("bf-");
  const place = await tempDir("bw-");
  for (const { path } of [data, place]) chown(path);
  const daemon = await daemons.start({ dataDir: data.path, ...(isRoot ? { uid: stranger } : {}) });
  await untilReady(daemon, await makeTask(daemon, "true"));
  mkdirSync(join(place.path, "handed"));
  chown(join(place.path, "handed"));
  const watching = await watch(daemon, { ...options, place: place.path });
  return {
    ...watching,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await watching[Symbol.asyncDispose]();
      await daemon[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
      await data[Symbol.asyncDispose]();
    },
  };
}

function chown(path: string): void {
  if (isRoot) chownSync(path, stranger, stranger);
}

test.skipIf(isRoot && !canRunAsStranger)(
  "a directory that cannot be read says so, and once it can, only what changed meanwhile is handed over",
  async () => {
    await using watching = await open({ arrange: (root) => writeFileSync(join(root, "former"), "former") });
    chmodSync(watching.root, 0o700);
    if (isRoot) chownSync(watching.root, 0, 0);
    else chmodSync(watching.root, 0);
    const { health } = await watching.untilHealth("permission_denied");
    expect(health.reason).toContain("no permission");
    if (!isRoot) chmodSync(watching.root, 0o755);
    writeFileSync(watching.path("meanwhile"), "meanwhile");
    chmodSync(watching.root, 0o755);
    await watching.untilHealth("observing");
    await expectRuns(watching, ["meanwhile"]);
  },
);

test.skipIf(isRoot && !canRunAsStranger)(
  "a directory that could not be read at the creation takes what it has as known once it can",
  async () => {
    await using watching = await open({
      arrange: (root) => {
        writeFileSync(join(root, "former"), "former");
        chmodSync(root, 0);
      },
      health: "permission_denied",
    });
    chmodSync(watching.root, 0o755);
    await watching.untilHealth("observing");
    await expectRuns(watching);
  },
);

test.skipIf(isRoot && !canRunAsStranger)(
  "one directory of a tree that cannot be read degrades the watcher, and the others are observed",
  async () => {
    await using watching = await open({
      watcher: { recursive: true },
      arrange: (root) => {
        for (const name of ["open", "closed"]) mkdirSync(join(root, name));
        writeFileSync(join(root, "closed", "former"), "former");
        chmodSync(join(root, "closed"), 0);
      },
      health: "degraded",
    });
    expect((await watching.read()).health.reason).toContain("some of the directories");
    writeFileSync(watching.path("open/file"), "file");
    await expectRuns(watching, ["open/file"]);
    writeFileSync(watching.path("closed/new"), "new");
    await expectRuns(watching);
    chmodSync(watching.path("closed"), 0o755);
    await watching.untilHealth("observing");
    await expectRuns(watching, ["closed/new"]);
  },
);

test.skipIf(isRoot && !canRunAsStranger)(
  "a parent that cannot be entered is a lack of permission, not a missing path, and its files are not new afterwards",
  async () => {
    await using watching = await open({
      watcher: { recursive: true },
      arrange: (root) => {
        mkdirSync(join(root, "sub"));
        writeFileSync(join(root, "sub", "former"), "former");
      },
    });
    await watching.patch({ path: watching.path("sub") });
    await watching.untilHealth("observing");
    chmodSync(watching.root, 0);
    await watching.untilHealth("permission_denied");
    chmodSync(watching.root, 0o755);
    await watching.untilHealth("observing");
    writeFileSync(watching.path("sub/new"), "new");
    expect(await watching.untilEnded(1)).toEqual([["sub/new"]]);
  },
);

test.skipIf(isRoot && !canRunAsStranger)(
  "a file that cannot be read by its permissions is handed over all the same: the task may read it",
  async () => {
    await using watching = await open({});
    writeFileSync(watching.path("secret"), "secret", { mode: 0 });
    await expectRuns(watching, ["secret"]);
  },
);
