import { tempDir, until } from "@belfry/test-kit";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openObserverThread } from "./observer-thread.ts";
import type { FromObserver, WatchOrder } from "./observing/messages.ts";

test.each(["at its begin", "while it observes"])("a thread that is stopped %s says nothing more", async (when) => {
  await using dir = await tempDir("bw-");
  const [data, place] = [join(dir.path, "data"), join(dir.path, "place")];
  for (const folder of [data, place]) await mkdir(folder);
  const messages: FromObserver[] = [];
  const ends: string[] = [];
  const thread = openObserverThread({
    start: { folder: data, runsFolder: data, dataDir: data, hashKey: new Uint8Array(32), filesMax: 10, mount: null },
    onMessage: (message) => void messages.push(message),
    onEnd: (failure) => void ends.push(failure),
  });
  const watcher: WatchOrder = {
    id: "wch_1",
    kind: "directory",
    path: place,
    pattern: "*",
    isRecursive: true,
    onStart: "scan",
    observation: 1,
    observedFrom: 0,
    debounceMs: 10,
    stabilityMs: 10,
    maxWaitMs: 1_000,
  };
  thread.send({ is: "observe", watcherId: watcher.id, watcher, startedAt: null });
  if (when === "while it observes")
    await until("it observes", () =>
      messages.some((message) => message.is === "health" && message.code === "observing"),
    );
  const before = messages.length;
  await thread.stop();
  // a second stop has nothing to do
  await thread.stop();
  expect([messages.length, ends]).toEqual([before, []]);
});
