import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { type ObserverPlace, openObserverPlace, startTestObserver } from "../../../../tests/support/observer.ts";
import { canMount, fillDisk, mountSmallDisk } from "../../../../tests/support/processes/privileges.ts";
import { createNameHash } from "../observing/name-hash.ts";
import { recoverRunFiles, type RunStanding } from "./recover.ts";

const watcherId = "wch_1";
/** So many that no write of their states fits into the rest of a page. */
const names = Array.from({ length: 500 }, (_, index) => `file-${index}`).toSorted();

/** Files to observe, and a small disk for what the observer writes. */
async function openSmallPlace() {
  await using stack = new AsyncDisposableStack();
  const { root } = stack.use(await openObserverPlace());
  const disk = stack.use((await mountSmallDisk(256))!);
  const folder = join(disk.path, "state");
  const runsFolder = join(folder, "files");
  mkdirSync(runsFolder, { recursive: true });
  const moved = stack.move();
  return {
    root,
    folder,
    runsFolder,
    fill: (): void => fillDisk(disk.path),
    free: (): void => {
      for (const name of readdirSync(disk.path)) if (name.startsWith("filler")) rmSync(join(disk.path, name));
    },
    write: (): void => {
      for (const name of names) writeFileSync(join(root, name), "x");
    },
    [Symbol.asyncDispose]: () => moved[Symbol.asyncDispose](),
  };
}

/** What an observer hands over after a restart. */
async function restart(place: ObserverPlace, standings: ReadonlyMap<string, RunStanding>) {
  const { folder, runsFolder } = place;
  const hash = createNameHash(new Uint8Array(32).fill(7));
  recoverRunFiles({ folder, runsFolder, hash, standings, observationOf: () => 1, isConcerned: () => true });
  await using observer = startTestObserver(place);
  // only what is on disk counts as known
  await observer.observe({ observedFrom: 0 }, true);
  await observer.settle();
  return await observer.handOver();
}

test.skipIf(!canMount)("files that cannot be written wait, and go to one run once there is free space", async () => {
  await using place = await openSmallPlace();
  {
    await using observer = startTestObserver(place);
    await observer.observe();
    place.write();
    observer.hint(null);
    await observer.settle();
    place.fill();
    expect(await observer.handOver("run_1")).toEqual([]);
    expect(observer.last("unprepared")?.failure).toBe("ENOSPC");
    expect(readdirSync(place.runsFolder)).toEqual([]);
    observer.take({ is: "free", watcherId });
    expect(observer.last("settled")?.count).toBe(names.length);
    place.free();
    expect(await observer.handOver("run_2")).toEqual(names);
  }
  expect(await restart(place, new Map([["run_2", { is: "ended", watcherId }]]))).toEqual([]);
});

test.skipIf(!canMount)("the first look at a full disk is written once there is free space", async () => {
  await using place = await openSmallPlace();
  place.write();
  {
    await using observer = startTestObserver(place);
    place.fill();
    await observer.observe({ observedFrom: Date.now() + 1_000 });
    expect(observer.last("health")?.code).toBe("observing");
    expect(observer.last("failure")?.failure).toBe("ENOSPC");
    place.free();
    // with the next look at everything
    await observer.clock.advance(61_000);
  }
  expect(await restart(place, new Map())).toEqual([]);
});

test.skipIf(!canMount)(
  "files whose run was stored while the disk was full are given to no other run, also after a restart",
  async () => {
    await using place = await openSmallPlace();
    const stored = new Map([["run_1", { is: "live", watcherId }]] as const);
    {
      await using observer = startTestObserver(place);
      await observer.observe();
      place.write();
      observer.hint(null);
      await observer.settle();
      observer.take({ is: "prepare", watcherId, runId: "run_1", joins: false });
      await until("the files are written", () => observer.last("prepared"));
      place.fill();
      observer.take({ is: "handed", watcherId, runId: "run_1" });
      expect(observer.last("failure")?.failure).toBe("ENOSPC");
      place.free();
      writeFileSync(join(place.root, "later"), "x");
      observer.hint("later");
      await observer.settle();
    }
    expect(await restart(place, stored)).toEqual(["later"]);
  },
);

test.skipIf(!canMount)(
  "files of a run that was stored, and ended, while the disk was full are given to no other run after a restart",
  async () => {
    await using place = await openSmallPlace();
    {
      await using observer = startTestObserver(place);
      await observer.observe();
      place.write();
      observer.hint(null);
      await observer.settle();
      observer.take({ is: "prepare", watcherId, runId: "run_1", joins: false });
      await until("the files are written", () => observer.last("prepared"));
      place.fill();
      observer.take({ is: "handed", watcherId, runId: "run_1" });
      observer.take({ is: "ended", watcherId, runId: "run_1", wasStarted: true });
    }
    place.free();
    expect(await restart(place, new Map([["run_1", { is: "ended", watcherId }]] as const))).toEqual([]);
    expect(readdirSync(place.runsFolder)).toEqual([]);
  },
);

test.skipIf(!canMount)(
  "files of a run that was cancelled while the disk was full are given to one other run, also after a restart",
  async () => {
    await using place = await openSmallPlace();
    {
      await using observer = startTestObserver(place);
      await observer.observe();
      place.write();
      observer.hint(null);
      await observer.settle();
      expect(await observer.handOver("run_1")).toEqual(names);
      place.fill();
      observer.take({ is: "ended", watcherId, runId: "run_1", wasStarted: false });
      expect(observer.last("failure")?.failure).toBe("ENOSPC");
      await observer.settle();
      expect(await observer.handOver("run_2")).toEqual([]);
      place.free();
      expect(await observer.handOver("run_3")).toEqual(names);
      expect(readdirSync(place.runsFolder)).toEqual(["run_3"]);
    }
    const standings = new Map([
      ["run_1", { is: "never_started", watcherId }],
      ["run_3", { is: "live", watcherId }],
    ] as const);
    expect(await restart(place, standings)).toEqual([]);
  },
);
