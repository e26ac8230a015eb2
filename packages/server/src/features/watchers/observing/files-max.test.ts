import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { openObserverPlace, startTestObserver } from "../../../../tests/support/observer.ts";

/** A place with a tree of this many files. */
async function openTree(count: number) {
  const place = await openObserverPlace();
  const paths = Array.from({ length: count }, (_, index) => `d${index % 3}/e${index}/file`);
  for (const path of paths) {
    mkdirSync(join(place.root, path, ".."), { recursive: true });
    writeFileSync(join(place.root, path), "x");
  }
  return { ...place, remove: (number: number) => rmSync(join(place.root, paths[number]!)) };
}

test("a watcher of too many files is an error and observes nothing, until it is enabled again with fewer", async () => {
  await using place = await openTree(11);
  await using observer = startTestObserver(place, { filesMax: 10 });
  const observedFrom = Date.now() + 1_000;
  await observer.observe({ observedFrom });
  expect(observer.last("health")?.code).toBe("too_many");
  expect(observer.watches()).toEqual([]);
  place.remove(0);
  await observer.clock.advance(120_000);
  expect(observer.last("health")?.code).toBe("too_many");
  expect(observer.last("settled")).toBeUndefined();

  observer.take({ is: "leave", watcherId: "wch_1", isForgotten: true });
  await observer.observe({ observedFrom, observation: 2 });
  expect(observer.last("health")?.code).toBe("observing");
  await observer.settle();
  expect(observer.last("settled")).toBeUndefined();
  place.remove(1);
  observer.hint("file", "d1/e1");
  observer.hint("e1", "d1");
  await observer.settle();
  writeFileSync(join(place.root, "new"), "x");
  observer.hint("new");
  await observer.settle();
  expect(await observer.handOver()).toEqual(["new"]);
});

test("files that the pattern does not select do not count", async () => {
  await using place = await openTree(11);
  await using observer = startTestObserver(place, { filesMax: 10 });
  await observer.observe({ pattern: "*.csv" });
  expect(observer.last("health")?.code).toBe("observing");
});

test("a watcher whose files become too many starts no run for the known ones after a restart with fewer", async () => {
  await using place = await openTree(9);
  const observedFrom = Date.now() + 1_000;
  {
    await using observer = startTestObserver(place, { filesMax: 10 });
    await observer.observe({ observedFrom });
    writeFileSync(join(place.root, "new"), "x");
    observer.hint("new");
    await observer.settle();
    observer.take({ is: "prepare", watcherId: "wch_1", runId: "run_1", joins: false });
    await until("the files are written", () => observer.last("prepared"));
    // while the run is stored
    writeFileSync(join(place.root, "newer"), "x");
    writeFileSync(join(place.root, "newest"), "x");
    observer.hint(null);
    await observer.clock.advance(5);
    expect(observer.last("health")?.code).toBe("too_many");
    observer.take({ is: "handed", watcherId: "wch_1", runId: "run_1" });
  }
  rmSync(join(place.root, "newest"));
  await using observer = startTestObserver(place, { filesMax: 100 });
  await observer.observe({ observedFrom }, true);
  await observer.settle();
  expect(observer.last("health")?.code).toBe("observing");
  expect(await observer.handOver("run_2")).toEqual(["newer"]);
});
