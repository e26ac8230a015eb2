import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "@belfry/test-kit";
import { describe, expect, test } from "vitest";
import { KnownFiles, wordsPerFile } from "./known-files.ts";
import { type DirectoryChange } from "./frames.ts";
import { KnownStore } from "./known-store.ts";
import { DeviceFiles } from "./device-files.ts";
import { Memory } from "./memory.ts";
import type { WatchOrder } from "./messages.ts";
import { type EndedLook, Place } from "./place.ts";

const observedFrom = 1_000_000;
const untilNs = BigInt(observedFrom - 10) * 1_000_000n;
const files = (...names: readonly number[]): Uint32Array => Uint32Array.from(names.flatMap((name) => [name, 0, 1, 1]));

function makePlace(key: string, { parentKey = null as string | null, baselineUntilNs = null as bigint | null } = {}) {
  const owner = { selects: () => true, onChange: () => {}, onLooked: () => {}, onFailure: () => {} };
  const at = { path: `/${key}`, key, parentKey, isRecursive: true };
  return new Place({ owner, ...at, files: new DeviceFiles(1n), baselineUntilNs, returned: () => null });
}

async function openMemory() {
  const dir = await tempDir();
  const path = join(dir.path, "wch_1");
  const start = (change: Partial<WatchOrder> = {}, startedAt: number | null = observedFrom + 5_000): Memory => {
    const order = { observation: 1, observedFrom, onStart: "scan", ...change } as WatchOrder;
    return new Memory(new KnownStore(path), order, startedAt);
  };
  return { path, start, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

/** A run is given these files: they are known in memory before they are noted. */
function handOver(memory: Memory, place: Place, names: Uint32Array, places: readonly Place[]): void {
  const { key, parentKey, baselineUntilNs } = place;
  const { device } = place.files;
  place.files.set(names, device);
  const change: DirectoryChange = { key, parentKey, device, baselineUntilNs, is: "set", words: names };
  memory.noteHanded([change], places);
}

function namesOf(known: KnownFiles | undefined): readonly (number | undefined)[] | undefined {
  if (known === undefined) return undefined;
  return Array.from({ length: known.count }, (_, index) => known.words[index * wordsPerFile]);
}

const look = (change: Partial<EndedLook> = {}): EndedLook => ({
  device: 1n,
  isOtherDevice: false,
  renumberedFrom: null,
  forgotten: files(),
  baseline: files(),
  baselineUntilNs: null,
  directories: new Set(),
  depth: "all",
  ...change,
});

describe("the first baseline", () => {
  test("takes what is older than the definition, until every directory was read once", async () => {
    await using opened = await openMemory();
    const memory = opened.start();
    expect(memory.baselineUntilNs).toBe(untilNs);
    expect(memory.isComplete).toBe(false);
    const place = makePlace("a");
    place.files.current.set(files(1, 2));
    memory.complete([place]);
    const again = opened.start();
    expect(again.isComplete).toBe(true);
    expect(again.baselineUntilNs).toBeNull();
    expect(namesOf(again.take("a")?.files.current)).toEqual([1, 2]);
    expect(again.take("a")).toBeNull();
  });

  test("goes on after a crash where a run was given files before it was complete", async () => {
    await using opened = await openMemory();
    const memory = opened.start();
    const [read, unread] = [makePlace("read"), makePlace("unread", { parentKey: "read", baselineUntilNs: untilNs })];
    read.files.current.set(files(1));
    memory.beginOnDisk([read, unread]);
    handOver(memory, unread, files(7), [read, unread]);
    // found after that, and not read yet
    memory.noteUnread(makePlace("late", { parentKey: "read", baselineUntilNs: untilNs }));

    const again = opened.start();
    expect(again.isComplete).toBe(false);
    expect(again.baselineUntilNs).toBe(untilNs);
    expect(again.runNumber).toBe(1);
    const found = again.take("unread");
    expect(namesOf(found?.files.current)).toEqual([7]);
    expect(found?.baselineUntilNs).toBe(untilNs);
    expect(again.take("read")?.baselineUntilNs).toBeNull();
    expect(again.take("late")?.baselineUntilNs).toBe(untilNs);
  });

  test("of a directory is over once it was read", async () => {
    await using opened = await openMemory();
    const memory = opened.start();
    const place = makePlace("a", { baselineUntilNs: untilNs });
    memory.beginOnDisk([place]);
    place.baselineUntilNs = null;
    memory.noteLook(place, look({ baseline: files(3), baselineUntilNs: untilNs }));
    const found = opened.start().take("a");
    expect(found?.baselineUntilNs).toBeNull();
    expect(namesOf(found?.files.current)).toEqual([3]);
  });

  test("is another one for another observation", async () => {
    await using opened = await openMemory();
    opened.start().complete([makePlace("a")]);
    const memory = opened.start({ observation: 2, observedFrom: observedFrom + 1 });
    expect(memory.baselineUntilNs).toBe(untilNs + 1_000_000n);
    expect(memory.runNumber).toBe(0);
    expect(memory.isComplete).toBe(false);
  });
});

describe("under on_start ignore", () => {
  test("a start knows nothing and takes all as it is; the number of runs goes on", async () => {
    await using opened = await openMemory();
    const memory = opened.start();
    const place = makePlace("a");
    memory.complete([place]);
    handOver(memory, place, files(1), [place]);
    const ignoring = opened.start({ onStart: "ignore" });
    expect(ignoring.take("a")).toBeNull();
    expect(ignoring.baselineUntilNs).toBe(untilNs + 5_000_000_000n);
    expect(ignoring.runNumber).toBe(1);
    expect(ignoring.isComplete).toBe(false);
  });

  test("an observer that begins again while the daemon runs goes on as it was", async () => {
    await using opened = await openMemory();
    opened.start().complete([makePlace("a")]);
    const memory = opened.start({ onStart: "ignore" }, null);
    expect(memory.isComplete).toBe(true);
    expect(memory.take("a")).not.toBeNull();
  });
});

describe("directories", () => {
  test("that are absent are known when they come back, and forgotten with those below when they were deleted", async () => {
    await using opened = await openMemory();
    const memory = opened.start();
    memory.complete([]);
    const [a, b, c] = [makePlace("a"), makePlace("b", { parentKey: "a" }), makePlace("c", { parentKey: "b" })];
    for (const place of [a, b, c]) {
      place.files.current.set(files(1));
      memory.keep(place);
    }
    expect(memory.absentBelow("a")).toEqual(["b"]);
    memory.beginOnDisk([]);
    handOver(memory, a, files(2), [a]);
    expect(namesOf(memory.take("b")?.files.current)).toEqual([1]);
    memory.keep(b);
    memory.forgetDirectories(["a"], 1n);
    for (const key of ["a", "b", "c"]) expect(memory.take(key)).toBeNull();
    for (const key of ["a", "b", "c"]) expect(opened.start().take(key)).toBeNull();
  });
});

describe("a file system that is not mounted", () => {
  /** The place after a look at the directory below the mount, and that look noted. */
  function unmount(memory: Memory, place: Place): void {
    place.files.arrive(2n, new KnownFiles());
    memory.noteLook(place, look({ device: 2n, isOtherDevice: true }));
  }

  test("is known after a restart meanwhile, and so are the files below the mount", async () => {
    await using opened = await openMemory();
    const memory = opened.start();
    const place = makePlace("a");
    place.files.current.set(files(1, 2));
    memory.complete([place]);
    unmount(memory, place);
    handOver(memory, place, files(7), [place]);
    for (let times = 0; times < 2; times++) {
      const found = opened.start().take("a")!;
      expect(namesOf(found.files.current)).toEqual([7]);
      expect(found.files.arrive(1n, new KnownFiles())).toBeNull();
      expect(namesOf(found.files.current)).toEqual([1, 2]);
    }
  });

  test("is known when it comes back after its mount point was deleted", async () => {
    await using opened = await openMemory();
    const memory = opened.start();
    const [point, below] = [makePlace("point", { parentKey: "root" }), makePlace("below", { parentKey: "point" })];
    for (const place of [point, below]) place.files.current.set(files(1));
    memory.complete([point, below]);
    unmount(memory, point);
    for (const place of [point, below]) memory.keep(place);
    memory.forgetDirectories(["point"], 2n);
    for (const each of [opened.start(), memory]) {
      for (const key of ["point", "below"]) {
        const found = each.take(key)!;
        expect(namesOf(found.files.current)).toEqual([1]);
        expect(found.files.states.map(({ device }) => device)).toEqual([1n]);
      }
    }
  });

  test("is remembered for some file systems, not for all that ever were", async () => {
    await using opened = await openMemory();
    const memory = opened.start();
    memory.complete([]);
    for (let device = 10n; device < 100n; device++) {
      const place = makePlace(`p${device}`, { parentKey: "root" });
      place.files.use(device);
      memory.keep(place);
      memory.forgetDirectories([place.key], 1n);
    }
    const left = (each: Memory) =>
      Array.from({ length: 90 }, (_, at) => each.take(`p${at + 10}`)).filter(Boolean).length;
    expect(left(memory)).toBe(16);
  });
});

test("files of a run that never started are forgotten, in directories that are here, absent, or unknown", async () => {
  await using opened = await openMemory();
  const memory = opened.start();
  const [here, absent] = [makePlace("here"), makePlace("absent")];
  for (const place of [here, absent]) place.files.current.set(files(1, 2));
  memory.complete([here, absent]);
  memory.keep(absent);
  const names = new Map(["here", "absent", "unknown"].map((key) => [key, files(1)]));
  memory.returnFiles(names, [here]);
  expect(namesOf(here.files.current)).toEqual([2]);
  expect(namesOf(memory.take("absent")?.files.current)).toEqual([2]);
  const again = opened.start();
  for (const key of ["here", "absent"]) expect(namesOf(again.take(key)?.files.current)).toEqual([2]);
  expect(again.take("unknown")).toBeNull();
});

describe("a write that fails", () => {
  /** No file can be written where a directory is. */
  async function openFailing() {
    const opened = await openMemory();
    const memory = opened.start();
    const place = makePlace("a");
    memory.complete([place]);
    rmSync(opened.path);
    mkdirSync(opened.path);
    return { ...opened, memory, place, repair: (): void => rmSync(opened.path, { recursive: true }) };
  }

  test("of a run's files is reported, and made good by the next one, of whatever", async () => {
    await using opened = await openFailing();
    const { memory, place, repair, start } = opened;
    expect(() => handOver(memory, place, files(1), [place])).toThrow("EISDIR");
    expect(() => memory.beginOnDisk([place])).toThrow();
    repair();
    memory.beginOnDisk([place]);
    const again = start();
    expect(again.runNumber).toBe(1);
    expect(namesOf(again.take("a")?.files.current)).toEqual([1]);
  });

  test("of a look is not reported: all is written with the next run", async () => {
    await using opened = await openFailing();
    const { memory, place, repair, start } = opened;
    place.files.current.set(files(3));
    memory.noteLook(place, look({ baseline: files(3) }));
    memory.forgetDirectories(["gone"], 1n);
    repair();
    handOver(memory, place, files(4), [place]);
    expect(namesOf(start().take("a")?.files.current)).toEqual([3, 4]);
  });

  test("of files that are to be forgotten is reported", async () => {
    await using opened = await openFailing();
    const { memory, place } = opened;
    expect(() => memory.returnFiles(new Map([["a", files(1)]]), [place])).toThrow("EISDIR");
  });
});
