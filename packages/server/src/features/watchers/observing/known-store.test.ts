import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "@belfry/test-kit";
import { describe, expect, test } from "vitest";
import { DeviceFiles } from "./device-files.ts";
import { KnownFiles } from "./known-files.ts";
import { encodeKnown, readHanded } from "../handing/handed-known.ts";
import { type DirectoryChange } from "./frames.ts";
import { KnownStore, type StoredState } from "./known-store.ts";

const files = (...numbers: readonly number[]): Uint32Array =>
  Uint32Array.from(numbers.flatMap((number) => [number, number, number * 10, 0]));
const directory = { parentKey: "p\u00ff", baselineUntilNs: null };
const device = 7n;
const set = (key: string, ...numbers: readonly number[]): DirectoryChange => ({
  key,
  ...directory,
  device,
  renumberedFrom: null,
  is: "set",
  words: files(...numbers),
});
const forget = (key: string, ...numbers: readonly number[]): DirectoryChange => ({
  ...set(key, ...numbers),
  is: "forget",
});

async function openStore() {
  const dir = await tempDir();
  const path = join(dir.path, "wch_1");
  const store = new KnownStore(path);
  const empty: StoredState = {
    directories: new Map(),
    returned: new Map(),
    runNumber: 0,
    baselineUntilNs: null,
  };
  const begin = (state: Partial<StoredState> = {}): void =>
    store.replace({ ...empty, ...state }, 3, { isDurable: false });
  return { path, store, begin, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

/** As text, which is easy to compare: `key: name name; run number`. */
function describeState(path: string, observation = 3): string | null {
  const state = new KnownStore(path).load(observation);
  if (state === null) return null;
  const directories = [...state.directories].map(
    ([
      key,
      {
        files: { current: known },
      },
    ]) => {
      const names = Array.from({ length: known.count }, (_, index) => known.words[index * 4]);
      return `${key}: ${names.join(" ")}`;
    },
  );
  return [...directories.toSorted(), `run ${state.runNumber}`].join("; ");
}

describe("what a watcher knows, on disk", () => {
  test("is what was set, less what was forgotten and left", async () => {
    await using opened = await openStore();
    const { path, store, begin } = opened;
    expect(store.load(3)).toBeNull();
    begin({
      directories: new Map([["a", { ...directory, files: new DeviceFiles(device, KnownFiles.of(files(1, 2))) }]]),
      runNumber: 4,
    });
    expect(describeState(path)).toBe("a: 1 2; run 4");
    store.append([set("a", 3), forget("a", 1), set("b", 9), forget("missing", 1)], null);
    expect(describeState(path)).toBe("a: 2 3; b: 9; run 4");
    store.append([set("b", 8)], 5);
    store.leave(["a", "missing"], device);
    expect(describeState(path)).toBe("b: 8 9; run 5");
    store.append([set("a", 1)], null);
    expect(describeState(path)).toBe("a: 1; b: 8 9; run 5");
  });

  test("has keys of any bytes, devices and times of any size", async () => {
    await using opened = await openStore();
    const { path, begin } = opened;
    const deviceFiles = new DeviceFiles(2n ** 63n, KnownFiles.of(files(1)));
    const stored = { files: deviceFiles, parentKey: "\u0000\u00fe", baselineUntilNs: 2n ** 63n };
    begin({ directories: new Map([["\u0001\u00ff/\n", stored]]), baselineUntilNs: 12n });
    const state = new KnownStore(path).load(3);
    expect(state?.baselineUntilNs).toBe(12n);
    expect([...state!.directories]).toEqual([["\u0001\u00ff/\n", stored]]);
  });

  test("does not count for another observation", async () => {
    await using opened = await openStore();
    opened.begin();
    expect(describeState(opened.path, 4)).toBeNull();
  });

  test("is gone after it was removed", async () => {
    await using opened = await openStore();
    opened.begin();
    opened.store.remove();
    expect(opened.store.load(3)).toBeNull();
  });

  test("is written anew, by a store that has grown, without the history", async () => {
    await using opened = await openStore();
    const { path, store, begin } = opened;
    begin();
    expect(store.isWorthReplacing).toBe(false);
    const many = Array.from({ length: 1_000 }, (_, index) => index);
    for (let times = 0; times < 20; times++) store.append([set("a", ...many), forget("a", ...many)], times + 1);
    expect(store.isWorthReplacing).toBe(true);
    const loaded = new KnownStore(path).load(3)!;
    store.replace(loaded, 3, { isDurable: true });
    expect(store.isWorthReplacing).toBe(false);
    expect(readFileSync(path).length).toBeLessThan(1_000);
    store.append([set("b", 1)], null);
    expect(describeState(path)).toBe("a: ; b: 1; run 20");
  });
});

describe("after a crash", () => {
  /** A file after each of its writes. */
  async function writeHistory() {
    const opened = await openStore();
    const { path, store, begin } = opened;
    begin({ directories: new Map([["a", { ...directory, files: new DeviceFiles(device, KnownFiles.of(files(1))) }]]) });
    const states: { readonly bytes: Buffer; readonly is: string }[] = [];
    const keep = (): void => void states.push({ bytes: readFileSync(path), is: describeState(path)! });
    keep();
    store.append([set("a", 2)], null);
    keep();
    store.append([forget("a", 1), set("b", 3)], null);
    keep();
    store.append([set("b", 4)], 1);
    keep();
    store.leave(["a"], device);
    keep();
    return { ...opened, states };
  }

  test("a file that was cut off at any byte is one of its former states, or a whole frame beyond", async () => {
    await using opened = await writeHistory();
    const { path, states } = opened;
    const whole = states.at(-1)!.bytes;
    for (let length = 0; length <= whole.length; length++) {
      writeFileSync(path, whole.subarray(0, length));
      const former = states.findLast(({ bytes }) => bytes.length <= length);
      const found = describeState(path);
      if (former?.bytes.length === length) expect(found).toBe(former.is);
      const next = states.find(({ bytes }) => bytes.length > length);
      // the frames of one write are separate: each is valid by itself, except of the first write
      const between = ["a: 2; run 0", "a: 2; b: 3 4; run 0"];
      if (found === null) expect(former).toBeUndefined();
      else expect([former?.is, next?.is, ...between]).toContain(found);
    }
  });

  test("what was cut off is overwritten by the next write", async () => {
    await using opened = await writeHistory();
    const { path, states } = opened;
    const { bytes, is } = states[1]!;
    const next = states[2]!.bytes;
    for (let length = bytes.length; length < next.length; length++) {
      writeFileSync(path, next.subarray(0, length));
      const store = new KnownStore(path);
      store.load(3);
      store.append([set("z", 5)], 9);
      const [before] = is.split("; run");
      expect(describeState(path)).toContain("z: 5; run 9");
      if (length === bytes.length) expect(describeState(path)).toBe(`${before}; z: 5; run 9`);
    }
  });

  test("a damaged byte ends the file there, wherever it is", async () => {
    await using opened = await writeHistory();
    const { path, states } = opened;
    const whole = states.at(-1)!.bytes;
    for (let at = 0; at < whole.length; at++) {
      for (const change of [0xff, 0x01]) {
        const damaged = Buffer.from(whole);
        damaged[at]! ^= change;
        writeFileSync(path, damaged);
        const found = describeState(path);
        const former = states.findLast(({ bytes }) => bytes.length <= at);
        if (former === undefined) expect(found).toBeNull();
        expect(found).not.toBe(states.at(-1)!.is);
      }
    }
  });

  test("zeros at the end, which a power failure leaves, do not count", async () => {
    await using opened = await writeHistory();
    const { path, states } = opened;
    for (const { bytes, is } of states) {
      for (const count of [1, 11, 12, 13, 4_096]) {
        writeFileSync(path, Buffer.concat([bytes, Buffer.alloc(count)]));
        expect(describeState(path)).toBe(is);
      }
    }
    writeFileSync(path, Buffer.alloc(4_096));
    expect(describeState(path)).toBeNull();
  });
});

describe("the states of a run's files", () => {
  const of = { watcherId: "wch_1", observation: 3, runNumber: 8 };
  const changes = [set("a", 1, 2), set("b", 3)];

  test("are read as they were written", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "run.known");
    writeFileSync(path, encodeKnown(changes, of));
    expect(readHanded(path)).toMatchObject({ of, changes });
    expect(readHanded(join(dir.path, "missing"))).toBeNull();
  });

  test("are none, or fewer, where the file was cut off", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "run.known");
    const whole = encodeKnown(changes, of);
    for (let length = 0; length < whole.length; length++) {
      writeFileSync(path, whole.subarray(0, length));
      const read = readHanded(path);
      expect([0, 1]).toContain(read?.changes.length ?? 0);
      expect(read?.changes ?? []).toEqual(changes.slice(0, read?.changes.length ?? 0));
    }
  });
});
