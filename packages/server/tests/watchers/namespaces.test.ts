import { until } from "@belfry/test-kit";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { useNamespaces } from "../support/namespaces.ts";
import { canUnshare } from "../support/processes/privileges.ts";
import { expectRuns, place, type Watching } from "../support/watchers.ts";

const open = useNamespaces();

const tree = (root: string): void => {
  for (let index = 0; index < 20; index++) {
    mkdirSync(join(root, `d${index}`));
    writeFileSync(join(root, `d${index}`, "former"), "former");
  }
};

test.skipIf(!canUnshare)(
  "without inotify instances the watcher polls, says so with the sysctl, and misses nothing",
  async () => {
    await using watching = await open("echo 0 > /proc/sys/user/max_inotify_instances", {
      watcher: { recursive: true },
      arrange: tree,
      health: "polling",
    });
    expect((await watching.read()).health.reason).toContain("fs.inotify.max_user_instances");
    for (const name of ["one", "d7/two"]) place(watching.root, name);
    writeFileSync(watching.path("d8/former"), "changed");
    await expectRuns(watching, ["one", "d7/two", "d8/former"]);
  },
);

test.skipIf(!canUnshare)(
  "without inotify watches the watcher polls, says so with the sysctl, and misses nothing",
  async () => {
    await using watching = await open("echo 0 > /proc/sys/user/max_inotify_watches", {
      watcher: { recursive: true },
      arrange: tree,
      health: "polling",
    });
    expect((await watching.read()).health.reason).toContain("fs.inotify.max_user_watches");
    for (const name of ["one", "d7/two"]) place(watching.root, name);
    mkdirSync(watching.path("fresh"));
    place(watching.root, "fresh/three");
    await expectRuns(watching, ["one", "d7/two", "fresh/three"]);
  },
);

test.skipIf(!canUnshare)(
  "with too few inotify watches some directories are polled, the watcher is degraded, and misses nothing",
  async () => {
    await using watching = await open("echo 10 > /proc/sys/user/max_inotify_watches", {
      watcher: { recursive: true },
      arrange: tree,
      health: "degraded",
    });
    expect((await watching.read()).health.reason).toContain("fs.inotify.max_user_watches");
    const all = Array.from({ length: 20 }, (_, index) => `d${index}/new`);
    for (const name of all) place(watching.root, name);
    // those that are notified go first
    await watching.untilFiles(20);
    expect((await watching.ended()).flat().toSorted()).toEqual(all.toSorted());
    // with watches to spare, it is notified of all of them
    watching.inside("/bin/sh", "-c", "echo 1000 > /proc/sys/user/max_inotify_watches");
    await watching.untilHealth("observing");
  },
);

test.skipIf(!canUnshare)(
  "a file system that is unmounted and mounted again starts no run, except for what changed meanwhile",
  async () => {
    const mounted = `mkdir $PLACE/disk && mount -t tmpfs tmpfs $PLACE/disk && mkdir -p $PLACE/disk/tree/sub && cd $PLACE/disk/tree && touch a b sub/c && mkdir $PLACE/in && mount --bind . $PLACE/in && cd /`;
    await using watching = await open(mounted, { watcher: { recursive: true } });
    const write = (path: string, text: string) =>
      watching.inside("/bin/sh", "-c", `echo ${text} > ${join(watching.place, path)}`);
    write("in/new", "new");
    expect(await watching.untilEnded(1)).toEqual([["new"]]);

    watching.inside("umount", watching.root);
    // the directory below the mount shows that the daemon has noticed
    place(watching.root, "below");
    expect((await watching.untilEnded(2))[1]).toEqual(["below"]);
    mkdirSync(watching.path("other"));
    place(watching.root, "other/below");
    expect((await watching.untilEnded(3))[2]).toEqual(["other/below"]);
    write("disk/tree/b", "changed");
    write("disk/tree/sub/meanwhile", "meanwhile");

    watching.inside("mount", "--bind", join(watching.place, "disk/tree"), watching.root);
    expect((await watching.untilEnded(4))[3]).toEqual(["b", "sub/meanwhile"]);
    write("in/last", "last");
    await until("the last run", async () => (await watching.ended()).length >= 5);
    expect((await watching.ended()).slice(4)).toEqual([["last"]]);
  },
);

test.skipIf(!canUnshare)(
  "a file system that is away for a restart, or whose mount point is removed meanwhile, starts no run when it comes back",
  async () => {
    const mounted =
      "mkdir -p $PLACE/disk $PLACE/in/usb && mount -t tmpfs tmpfs $PLACE/disk && mkdir $PLACE/disk/sub && touch $PLACE/disk/a $PLACE/disk/sub/b && mount --bind $PLACE/disk $PLACE/in/usb";
    await using watching = await open(mounted, { watcher: { recursive: true } });
    const usb = watching.path("usb");
    const unmount = (): void => void watching.inside("umount", usb);
    const mount = (): void => void watching.inside("mount", "--bind", join(watching.place, "disk"), usb);
    unmount();
    place(watching.root, "usb/below");
    await watching.restart();
    await expectRuns(watching, ["usb/below"]);
    await watching.restart();
    mount();
    await watching.restart();
    await expectRuns(watching);
    unmount();
    await watching.restart();
    await expectRuns(watching);

    rmSync(usb, { recursive: true });
    await expectRuns(watching);
    await watching.restart();
    mkdirSync(usb);
    mount();
    await watching.restart();
    watching.inside("/bin/sh", "-c", `echo new > ${join(watching.place, "disk/sub/new")}`);
    await expectRuns(watching, ["usb/sub/new"]);
  },
);

test.skipIf(!canUnshare)(
  "files that are written below the mount while it is away, and looked at again, change nothing of what is known of the mounted ones",
  async () => {
    const commands = [
      "mkdir $PLACE/disk $PLACE/in && mount -t tmpfs tmpfs $PLACE/disk",
      "mkdir -p $PLACE/disk/files/sub $PLACE/disk/folders/sub",
      "cd $PLACE/disk && touch files/a files/b files/sub/c folders/sub/d && cd /",
      "for each in files folders; do mkdir $PLACE/in/$each && mount --bind $PLACE/disk/$each $PLACE/in/$each; done",
    ];
    await using files = await open(commands.join("\n"), { watcher: { recursive: true } });
    const mounts = ["files", "folders"];
    // a daemon that was stopped looks at everything: no notification tells of a bind mount
    const lookAtEverything = async (marker: string) => {
      process.kill(files.daemonPid, "SIGSTOP");
      await pause(3_500);
      process.kill(files.daemonPid, "SIGCONT");
      place(files.root, marker);
      await until(`the run of ${marker}`, async () => (await files.ended()).flat().includes(marker));
    };
    for (const mount of mounts) files.inside("umount", files.path(mount));
    await lookAtEverything("one");
    for (const mount of mounts) place(files.root, `${mount}/below`);
    await files.untilFiles(3);
    await lookAtEverything("two");
    for (const mount of mounts) files.inside("mount", "--bind", join(files.place, "disk", mount), files.path(mount));
    await lookAtEverything("three");
    for (const mount of mounts)
      files.inside("/bin/sh", "-c", `echo new > ${join(files.place, "disk", mount, "sub", "new")}`);
    await files.untilFiles(7);
    await expectRest(files, [
      "one",
      "files/below",
      "folders/below",
      "two",
      "three",
      "files/sub/new",
      "folders/sub/new",
    ]);
  },
);

test.skipIf(!canUnshare)(
  "the daemon's data directory is not looked into by the path of a bind mount either, there from the start or mounted later",
  async () => {
    const bind = "mkdir -p $PLACE/in/early && mount --bind $DATA $PLACE/in/early";
    await using watching = await open(bind, {
      watcher: { recursive: true },
      arrange: (root) => mkdirSync(join(root, "late")),
    });
    for (const name of ["one", "two"]) {
      place(watching.root, name);
      await expectRuns(watching, [name]);
    }
    watching.inside("mount", "--bind", watching.dataDir, watching.path("late"));
    process.kill(watching.daemonPid, "SIGSTOP");
    await pause(3_500);
    process.kill(watching.daemonPid, "SIGCONT");
    for (const name of ["three", "four"]) {
      place(watching.root, name);
      await expectRuns(watching, [name]);
    }
  },
);

/** All files of the runs so far, each once; what else was on its way would be in the last run or before it. */
async function expectRest(watching: Watching, names: readonly string[]): Promise<void> {
  place(watching.root, "last");
  const all = await watching.untilFiles(names.length + 1);
  expect(all.flat().toSorted()).toEqual([...names, "last"].toSorted());
}
