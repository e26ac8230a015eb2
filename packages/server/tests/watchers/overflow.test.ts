import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useDaemonProcess } from "../support/processes/daemon-process.ts";
import { makeTask, untilReady } from "../support/tasks.ts";
import { place, watch } from "../support/watchers.ts";

const daemons = useDaemonProcess();

const queued = Number(readFileSync("/proc/sys/fs/inotify/max_queued_events", "utf8"));

test("a burst that overflows the system's queue while the daemon is stopped loses no file, in directories old and new, and hands over none twice", async () => {
  await using daemon = await daemons.start();
  await untilReady(daemon, await makeTask(daemon, "true"));
  const folders = Array.from({ length: 20 }, (_, index) => `d${index}`);
  const change = (root: string, name: string, content: string) => writeFileSync(join(root, name), content);
  await using watching = await watch(daemon, {
    watcher: { recursive: true, debounce: "100ms", stability: "100ms", max_wait: "1s" },
    arrange: (root) => {
      for (const folder of folders) {
        mkdirSync(join(root, folder));
        for (let index = 0; index < 100; index++) change(root, `${folder}/former${index}`, "former");
      }
    },
  });
  const expected: string[] = [];
  process.kill(daemon.pid, "SIGSTOP");
  try {
    // each new file is two notifications or more
    for (let index = 0; index < queued; index++) expected.push(`${folders[index % 20]}/new${index}`);
    for (const name of expected) change(watching.root, name, "new");
    // after the queue is full, in place and in fresh directories: no notification is left for these
    for (const folder of folders) {
      const late = [`${folder}/former7`, `${folder}/fresh/deep/file`];
      mkdirSync(watching.path(`${folder}/fresh/deep`), { recursive: true });
      for (const name of late) change(watching.root, name, "late, and longer");
      expected.push(...late);
    }
  } finally {
    process.kill(daemon.pid, "SIGCONT");
  }
  await watching.untilFiles(expected.length);
  place(watching.root, "last");
  await watching.untilFiles(expected.length + 1);
  expect((await watching.ended()).flat().toSorted()).toEqual([...expected, "last"].toSorted());
});

test("a burst that overflows the queue while the daemon works loses no file", async () => {
  await using daemon = await daemons.start();
  await untilReady(daemon, await makeTask(daemon, "true"));
  await using watching = await watch(daemon, {
    watcher: { recursive: true, debounce: "100ms", stability: "100ms", max_wait: "1s" },
  });
  const expected: string[] = [];
  for (let index = 0; index < 30_000; index++) {
    if (index % 100 === 0) mkdirSync(watching.path(`d${index / 100}`));
    const name = `d${Math.floor(index / 100)}/file${index}`;
    writeFileSync(watching.path(name), "file");
    expected.push(name);
  }
  await watching.untilFiles(expected.length);
  expect(new Set((await watching.ended()).flat())).toEqual(new Set(expected));
});
