import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "@belfry/test-kit";
import { describe, expect, test } from "vitest";
import { KnownFiles, wordsPerFile } from "./known-files.ts";
import { type DirectoryChange } from "./frames.ts";
import { KnownStore } from "./known-store.ts";
import { Memory, type MemoryStart } from "./memory.ts";
import type { WatchOrder } from "./messages.ts";
import { type EndedLook, Place } from "./place.ts";

const observedFrom = 1_000_000;
const untilNs = BigInt(observedFrom - 10) * 1_000_000n;
const files = (...names: readonly number[]): Uint32Array => Uint32Array.from(names.flatMap((name) => [name, 0, 1, 1]));

function makePlace(key: string, { parentKey = null as string | null, baselineUntilNs = null as bigint | null } = {}) {
  const owner = { selects: () => true, onChange: () => {}, onLooked: () => {}, onFailure: () => {} };
  const at = { path: `/${key}`, key, parentKey, isRecursive: true };
  return new Place({ owner, ...at, known: new KnownFiles(), device: 1n, baselineUntilNs, returned: null });
}

async function openMemory() {
  const dir = await tempDir();
  const path = join(dir.path, "wch_1");
  const start = (change: Partial<WatchOrder> = {}, how: Partial<MemoryStart> = {}): Memory => {
    const order = { observation: 1, observedFrom, onStart: "scan", ...change } as WatchOrder;
    return new Memory(new KnownStore(path), order, { isStart: true, returned: new Map(), ...how });
  };
  return { path, start, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

/** A run is given these files: they are known in memory before they are noted. */
function handOver(memory: Memory, place: Place, names: Uint32Array, places: readonly Place[]): void {
  place.known.set(names);
  const { key, parentKey, device, baselineUntilNs } = place;
  const change: DirectoryChange = { key, parentKey, device, baselineUntilNs, is: "set", words: names };
  memory.noteHanded([change], places);
}

function namesOf(known: KnownFiles | undefined): readonly (number | undefined)[] | undefined {
  if (known === undefined) return undefined;
  return Array.from({ length: known.count }, (_, index) => known.words[index * wordsPerFile]);
}

const look = (change: Partial<EndedLook> = {}): EndedLook => ({
  isSameDevice: true,
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
    place.known.set(files(1, 2));
    memory.complete([place]);
    const again = opened.start();
    expect(again.isComplete).toBe(true);
    expect(again.baselineUntilNs).toBeNull();
    expect(namesOf(again.take("a")?.known)).toEqual([1, 2]);
    expect(again.take("a")).toBeNull();
  });

  test("goes on after a crash where a run was given files before it was complete", async () => {
    await using opened = await openMemory();
    const memory = opened.start();
    const [read, unread] = [makePlace("read"), makePlace("unread", { parentKey: "read", baselineUntilNs: untilNs })];
    read.known.set(files(1));
    memory.beginOnDisk([read, unread]);
    handOver(memory, unread, files(7), [read, unread]);
    // found after that, and not read yet
    memory.noteUnread(makePlace("late", { parentKey: "read", baselineUntilNs: untilNs }));

    const again = opened.start();
    expect(again.isComplete).toBe(false);
    expect(again.baselineUntilNs).toBe(untilNs);
    expect(again.runNumber).toBe(1);
    const found = again.take("unread");
    expect(namesOf(found?.known)).toEqual([7]);
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
    expect(namesOf(found?.known)).toEqual([3]);
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
    expect(ignoring.baselineUntilNs).toBeGreaterThan(10n ** 18n);
    expect(ignoring.runNumber).toBe(1);
    expect(ignoring.isComplete).toBe(false);
  });

  test("an observer that begins again while the daemon runs goes on as it was", async () => {
    await using opened = await openMemory();
    opened.start().complete([makePlace("a")]);
    const memory = opened.start({ onStart: "ignore" }, { isStart: false });
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
      place.known.set(files(1));
      memory.keep(place);
    }
    expect(memory.absentBelow("a")).toEqual(["b"]);
    memory.beginOnDisk([]);
    handOver(memory, a, files(2), [a]);
    expect(namesOf(memory.take("b")?.known)).toEqual([1]);
    memory.keep(b);
    memory.forgetDirectories(["a"]);
    for (const key of ["a", "b", "c"]) expect(memory.take(key)).toBeNull();
    for (const key of ["a", "b", "c"]) expect(opened.start().take(key)).toBeNull();
  });
});

test("files of a run that never started are forgotten, in directories that are here, absent, or unknown", async () => {
  await using opened = await openMemory();
  const memory = opened.start();
  const [here, absent] = [makePlace("here"), makePlace("absent")];
  for (const place of [here, absent]) place.known.set(files(1, 2));
  memory.complete([here, absent]);
  memory.keep(absent);
  const names = new Map(["here", "absent", "unknown"].map((key) => [key, files(1)]));
  memory.forgetFiles(names, [here]);
  expect(namesOf(here.known)).toEqual([2]);
  expect(namesOf(memory.take("absent")?.known)).toEqual([2]);
  const again = opened.start();
  for (const key of ["here", "absent"]) expect(namesOf(again.take(key)?.known)).toEqual([2]);
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
    expect(namesOf(again.take("a")?.known)).toEqual([1]);
  });

  test("of a look is not reported: all is written with the next run", async () => {
    await using opened = await openFailing();
    const { memory, place, repair, start } = opened;
    place.known.set(files(3));
    memory.noteLook(place, look({ baseline: files(3) }));
    memory.forgetDirectories(["gone"]);
    repair();
    handOver(memory, place, files(4), [place]);
    expect(namesOf(start().take("a")?.known)).toEqual([3, 4]);
  });

  test("of files that are to be forgotten is reported", async () => {
    await using opened = await openFailing();
    const { memory, place } = opened;
    expect(() => memory.forgetFiles(new Map([["a", files(1)]]), [place])).toThrow("EISDIR");
  });
});
