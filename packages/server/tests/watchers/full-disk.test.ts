import { until } from "@belfry/test-kit";
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { useNamespaces } from "../support/namespaces.ts";
import { useDaemonProcess } from "../support/processes/daemon-process.ts";
import { canMount, canUnshare, mountSmallDisk } from "../support/processes/privileges.ts";
import { makeTask, untilReady } from "../support/tasks.ts";
import { expectRuns, place, watch, type Watching } from "../support/watchers.ts";

const open = useNamespaces();
const daemons = useDaemonProcess();

const run = (...[program, ...words]: readonly string[]): string => execFileSync(program!, words, { encoding: "utf8" });
const fill = (folder: string, within = run): void => {
  const script = `mkdir ${folder}/fill; for size in 64k 4k 1k; do dd if=/dev/zero bs=$size of=${folder}/fill/$size 2>/dev/null; done; true`;
  within("/bin/sh", "-c", script);
};
const free = (folder: string, within = run): void => void within("/bin/sh", "-c", `rm -r ${folder}/fill`);
const untilNotStored = ({ why }: Watching): Promise<void> =>
  until("the explanation", async () => (await why()).includes("could not store a run") || null).then(() => {});

test.skipIf(!canUnshare)(
  "while the disk of the lists is full, `why` and the log say so, and each change goes to one run once there is free space",
  async () => {
    const mounted = "mkdir -m 700 $DATA/watchers && mount -t tmpfs -o size=256k,mode=700 tmpfs $DATA/watchers";
    await using watching = await open(mounted, { watcher: { recursive: true } });
    place(watching.root, "before");
    await expectRuns(watching, ["before"]);
    const folder = `${watching.dataDir}/watchers`;
    fill(folder, watching.inside);
    for (const name of ["one", "two"]) {
      place(watching.root, name);
      await untilNotStored(watching);
    }
    // another watcher begins and changes meanwhile
    await using other = await watch(watching.daemon);
    place(other.root, "other");
    await untilNotStored(other);
    expect(watching.output()).toContain("ENOSPC");
    expect(await watching.runs()).toHaveLength(2);
    free(folder, watching.inside);
    await expectRuns(watching, ["one", "two"]);
    await expectRuns(other, ["other"]);

    // a start on the full disk, with a run that goes on meanwhile
    watching.hold();
    place(watching.root, "held");
    await until("the held run", async () => (await watching.runs()).some(({ state }) => state === "running"));
    fill(folder, watching.inside);
    await watching.restart();
    place(watching.root, "later");
    await watching.untilWaiting();
    watching.release();
    free(folder, watching.inside);
    await expectRuns(watching, ["held"], ["later"]);
  },
);

test.skipIf(!canMount)(
  "while the disk of the whole data directory is full, nothing is lost, and each change goes to one run once there is free space",
  async () => {
    await using disk = (await mountSmallDisk(24 * 1_024))!;
    await using first = await daemons.start({ dataDir: disk.path });
    await untilReady(first, await makeTask(first, "true"));
    await using watching = await watch(first, { watcher: { recursive: true } });
    place(watching.root, "before");
    await expectRuns(watching, ["before"]);
    fill(disk.path);
    for (const name of ["one", "two", "one"]) {
      place(watching.root, name);
      await untilNotStored(watching);
    }
    free(disk.path);
    await expectRuns(watching, ["one", "two"]);
  },
);
