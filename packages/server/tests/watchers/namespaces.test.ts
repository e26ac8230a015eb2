import { tempDir, until } from "@belfry/test-kit";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useDaemonProcess } from "../support/processes/daemon-process.ts";
import { canUnshare } from "../support/processes/privileges.ts";
import { makeTask, untilReady } from "../support/tasks.ts";
import { expectRuns, place, watch, type WatchOptions } from "../support/watchers.ts";

const daemons = useDaemonProcess();

/** A daemon in a user namespace of its own, in which these commands come first, and a watcher of it. */
async function open(commands: string, options: WatchOptions) {
  const dir = await tempDir("bw-");
  const starter = ["unshare", "-Urm", "/bin/sh", "-c", `${commands}\nexec "$@"`, "sh"];
  const daemon = await daemons.start({
    starter,
    environment: { PATH: process.env["PATH"]!, HOME: "/tmp", PLACE: dir.path },
  });
  await untilReady(daemon, await makeTask(daemon, "true"));
  const watching = await watch(daemon, { place: dir.path, ...options });
  return {
    ...watching,
    /** Runs in the namespace, beside the daemon. */
    inside: (...words: readonly string[]): string =>
      execFileSync("nsenter", ["-t", String(daemon.pid), "-U", "-m", "--preserve-credentials", ...words], {
        encoding: "utf8",
      }),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await watching[Symbol.asyncDispose]();
      await daemon[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

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
    await watching.untilFiles(20, 25_000);
    expect((await watching.ended()).flat().toSorted()).toEqual(all.toSorted());
    // with watches to spare, it is notified of all of them
    watching.inside("/bin/sh", "-c", "echo 1000 > /proc/sys/user/max_inotify_watches");
    await watching.untilHealth("observing", 25_000);
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
    expect((await watching.untilEnded(2, 25_000))[1]).toEqual(["below"]);
    mkdirSync(watching.path("other"));
    place(watching.root, "other/below");
    expect((await watching.untilEnded(3))[2]).toEqual(["other/below"]);
    write("disk/tree/b", "changed");
    write("disk/tree/sub/meanwhile", "meanwhile");

    watching.inside("mount", "--bind", join(watching.place, "disk/tree"), watching.root);
    expect((await watching.untilEnded(4, 25_000))[3]).toEqual(["b", "sub/meanwhile"]);
    write("in/last", "last");
    await until("the last run", async () => (await watching.ended()).length >= 5);
    expect((await watching.ended()).slice(4)).toEqual([["last"]]);
  },
  90_000,
);
