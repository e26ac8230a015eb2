import { until } from "@belfry/test-kit";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type ObserverPlace, openObserverPlace, startTestObserver } from "../../../../tests/support/observer.ts";
import type { WatchOrder } from "../observing/messages.ts";
import { createNameHash } from "../observing/name-hash.ts";
import { type RunStanding, recoverRunFiles } from "./recover.ts";
import { removeKnown, renameNew } from "./run-files.ts";

const hashKey = new Uint8Array(32).fill(7);
const watcherId = "wch_1";
const runId = "run_1";

/** The files of all watchers and runs at one moment, to begin again from there. */
type Snapshot = ReadonlyMap<string, Buffer>;

function takeSnapshot(folder: string): Snapshot {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((path) => [path, readFileSync(path)]));
}

function restoreSnapshot(folder: string, snapshot: Snapshot): void {
  rmSync(folder, { recursive: true });
  mkdirSync(join(folder, "files"), { recursive: true });
  for (const [path, bytes] of snapshot) writeFileSync(path, bytes);
}

const stacks: AsyncDisposableStack[] = [];
afterEach(async () => {
  for (const stack of stacks.splice(0)) await stack.disposeAsync();
});

/**
 * A watcher with a file that a former run was given (`known`), while files a and b are given to a run: the files on disk after
 * each step of that, in order.
 */
async function stepsOfHandOver({ joins }: { readonly joins: boolean }) {
  const stack = new AsyncDisposableStack();
  stacks.push(stack);
  const place = stack.use(await openObserverPlace());
  const observer = startTestObserver(place);
  const steps: { readonly name: string; readonly isStored: boolean; readonly files: Snapshot }[] = [];
  const keep = (name: string, isStored: boolean): void =>
    void steps.push({ name, isStored, files: takeSnapshot(place.folder) });
  const write = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) {
      writeFileSync(join(place.root, name), name);
      observer.hint(name);
    }
    await observer.settle();
  };
  await observer.observe();
  await write("known");
  await observer.handOver("run_0");
  observer.take({ is: "ended", watcherId, runId: "run_0", wasStarted: true });
  if (joins) {
    await write("a");
    await observer.handOver(runId);
    await write("b");
  } else await write("a", "b");
  keep("before", joins);
  const { runsFolder } = place;
  const [path, known] = [join(runsFolder, runId), join(runsFolder, `${runId}.known`)];
  // both are written beside the others first, in any order
  const partial = (name: string, from: string): void => {
    const whole = readFileSync(from);
    for (const length of [0, Math.floor(whole.length / 2)]) {
      writeFileSync(from, whole.subarray(0, length));
      keep(`${name}, cut off at ${length}`, joins);
    }
    writeFileSync(from, whole);
    keep(name, joins);
  };
  if (joins) {
    await observer.handOver(runId, true);
    partial("states beside", `${known}.new`);
    partial("paths beside", `${path}.new`);
    const former = takeSnapshot(place.folder);
    renameNew(runsFolder, runId);
    const renamed = takeSnapshot(place.folder);
    // between the two renames
    restoreSnapshot(place.folder, former);
    copyFileSync(`${known}.new`, known);
    rmSync(`${known}.new`);
    keep("states renamed", joins);
    restoreSnapshot(place.folder, renamed);
  } else {
    observer.take({ is: "prepare", watcherId, runId, joins: false });
    await observer.clock.advance(0);
    while (observer.last("prepared") === undefined) await observer.clock.advance(0);
    const [paths, states] = [readFileSync(path), readFileSync(known)];
    rmSync(path);
    keep("states renamed", false);
    rmSync(known);
    writeFileSync(`${path}.new`, paths);
    writeFileSync(`${known}.new`, states);
    partial("states and paths beside", `${known}.new`);
    partial("paths beside", `${path}.new`);
    rmSync(`${path}.new`);
    rmSync(`${known}.new`);
    writeFileSync(path, paths);
    writeFileSync(known, states);
  }
  keep("renamed", joins);
  keep("stored", true);
  observer.take({ is: "handed", watcherId, runId });
  expect(existsSync(known)).toBe(false);
  keep("known", true);
  // merged, and the states not removed yet
  const states = steps.at(-2)!.files.get(known)!;
  writeFileSync(known, states);
  keep("known, with the states", true);
  removeKnown(runsFolder, runId);
  await observer.stop();
  return { place, steps };
}

interface Start {
  readonly place: ObserverPlace;
  readonly is: RunStanding["is"] | "unstored";
  readonly onStart?: WatchOrder["onStart"];
  readonly observation?: number;
  /** By default so late that every file was there before. */
  readonly startedAt?: number;
  readonly isHandedOver?: boolean;
  /** The standings of other runs. */
  readonly others?: Readonly<Record<string, RunStanding["is"]>>;
}

/** Starts an observer on these files; returns what it hands over, and what the run of before has. */
async function startAgain(start: Start) {
  const { place, is, onStart = "scan", observation = 1, startedAt = Date.now() + 60_000, isHandedOver = true } = start;
  const all = { ...start.others, ...(is === "unstored" ? {} : { [runId]: is }) };
  const standings = new Map(Object.entries(all).map(([id, each]) => [id, { is: each, watcherId }]));
  const hash = createNameHash(hashKey);
  const parts = { folder: place.folder, runsFolder: place.runsFolder, hash, standings };
  recoverRunFiles({ ...parts, observationOf: () => observation, isConcerned: () => true });
  const run = existsSync(join(place.runsFolder, runId))
    ? readFileSync(join(place.runsFolder, runId), "utf8").split("\0").slice(0, -1)
    : [];
  const observer = startTestObserver(place);
  const { order } = observer;
  const watcher = { ...order, onStart, observation };
  observer.take({ is: "observe", watcherId, watcher, startedAt });
  await observer.settle();
  const handed = isHandedOver ? await observer.handOver("run_2") : [];
  await observer.stop();
  const left = readdirSync(place.runsFolder).filter((name) => name.startsWith(runId));
  return { handed, left, run: run.map((path) => path.replace(`${place.root}/`, "")).toSorted() };
}

describe("after a crash at any step of a hand-over, each file is given to one run", () => {
  test.for([false, true])("a new run, or a waiting one that is joined (%s)", async (joins) => {
    const { place, steps } = await stepsOfHandOver({ joins });
    expect(steps.length).toBeGreaterThan(8);
    for (const { name, isStored, files } of steps) {
      for (const is of isStored ? (["live", "ended", "never_started"] as const) : (["unstored"] as const)) {
        restoreSnapshot(place.folder, files);
        const { handed, run, left } = await startAgain({ place, is });
        const what = `${name}, ${is}`;
        if (is === "live") {
          // the paths of the run, and all others
          expect([...run, ...handed].toSorted(), what).toEqual(["a", "b"]);
          expect(left, what).toEqual([runId]);
        } else {
          expect(left, what).toEqual([]);
          // the run may have read the paths of its file, and no others
          const paths = files.get(join(place.runsFolder, runId))?.toString() ?? "";
          const read = ["a", "b"].filter((file) => paths.includes(`/${file}\0`));
          const expected = is === "ended" ? ["a", "b"].filter((file) => !read.includes(file)) : ["a", "b"];
          expect(handed, what).toEqual(expected);
        }
      }
    }
  });

  test("a new run that was to replace another returns its own files only, while the other run has its own", async () => {
    await using place = await openObserverPlace();
    const observer = startTestObserver(place);
    await observer.observe();
    const write = async (name: string): Promise<void> => {
      writeFileSync(join(place.root, name), name);
      observer.hint(name);
      await observer.settle();
    };
    await write("a");
    await observer.handOver("run_0");
    await write("b");
    observer.take({ is: "prepare", watcherId, runId, joins: false, replacedId: "run_0" });
    while (observer.last("prepared") === undefined) await observer.clock.advance(0);
    const paths = readFileSync(join(place.runsFolder, runId), "utf8").split("\0").slice(0, -1);
    expect(paths).toEqual([join(place.root, "a"), join(place.root, "b")]);
    await observer.stop();
    const { handed } = await startAgain({ place, is: "unstored", others: { run_0: "live" } });
    expect(handed).toEqual(["b"]);
    expect(readFileSync(join(place.runsFolder, "run_0"), "utf8")).toBe(`${join(place.root, "a")}\0`);
  });

  test("a second crash in the recovery changes nothing", async () => {
    const { place, steps } = await stepsOfHandOver({ joins: true });
    for (const { name, files } of steps) {
      restoreSnapshot(place.folder, files);
      const hash = createNameHash(hashKey);
      const standings = new Map([[runId, { is: "live", watcherId } as const]]);
      const parts = { folder: place.folder, runsFolder: place.runsFolder, hash, standings };
      for (let times = 0; times < 2; times++)
        recoverRunFiles({ ...parts, observationOf: () => 1, isConcerned: () => true });
      const { handed, run } = await startAgain({ place, is: "live" });
      expect([...run, ...handed].toSorted(), name).toEqual(["a", "b"]);
    }
  });
});

describe("under on_start ignore", () => {
  test("files whose run was never stored or never started are changes, others are taken as they are", async () => {
    const { place, steps } = await stepsOfHandOver({ joins: false });
    writeFileSync(join(place.root, "while-away"), "x");
    const at = (name: string) => steps.find((step) => step.name === name)!.files;
    const handedAfter = async (name: string, is: Start["is"]) => {
      restoreSnapshot(place.folder, at(name));
      return (await startAgain({ place, is, onStart: "ignore" })).handed;
    };
    expect(await handedAfter("renamed", "unstored")).toEqual(["a", "b"]);
    expect(await handedAfter("known", "never_started")).toEqual(["a", "b"]);
    expect(await handedAfter("stored", "never_started")).toEqual(["a", "b"]);
    expect(await handedAfter("stored", "live")).toEqual([]);
    expect(await handedAfter("known", "ended")).toEqual([]);
    expect(await handedAfter("before", "unstored")).toEqual([]);
  });

  test("they are still changes after further crashes, until a run is given them", async () => {
    const { place, steps } = await stepsOfHandOver({ joins: false });
    restoreSnapshot(place.folder, steps.find(({ name }) => name === "renamed")!.files);
    const start = { place, is: "unstored", onStart: "ignore" } as const;
    for (let times = 0; times < 3; times++) await startAgain({ ...start, isHandedOver: false });
    expect((await startAgain(start)).handed).toEqual(["a", "b"]);
    expect((await startAgain(start)).handed).toEqual([]);
  });

  test("files written after the start of the daemon are changes, however late the first look is", async () => {
    const { place, steps } = await stepsOfHandOver({ joins: false });
    restoreSnapshot(place.folder, steps.find(({ name }) => name === "before")!.files);
    // times of files are those of the system's clock, which has ticks
    await until("a later tick", () => {
      writeFileSync(join(place.root, "after"), "x");
      return statSync(join(place.root, "after")).ctimeMs > statSync(join(place.root, "b")).ctimeMs + 50;
    });
    const startedAt = Math.ceil(statSync(join(place.root, "after")).ctimeMs);
    expect((await startAgain({ place, is: "unstored", onStart: "ignore", startedAt })).handed).toEqual(["after"]);
  });

  test("files of two runs in one directory are all changes again", async () => {
    const { place, steps } = await stepsOfHandOver({ joins: false });
    restoreSnapshot(place.folder, steps.find(({ name }) => name === "renamed")!.files);
    const { runsFolder } = place;
    const [first, second] = [join(runsFolder, runId), join(runsFolder, "run_9")];
    copyFileSync(`${first}.known`, `${second}.known`);
    writeFileSync(first, `${place.root}/a\0`);
    writeFileSync(second, `${place.root}/b\0`);
    const { handed } = await startAgain({ place, is: "unstored", onStart: "ignore" });
    expect(handed).toEqual(["a", "b"]);
  });
});

describe("what does not concern the present observation", () => {
  test("the files of an unstored run of a former one are no changes", async () => {
    const { place, steps } = await stepsOfHandOver({ joins: false });
    restoreSnapshot(place.folder, steps.find(({ name }) => name === "renamed")!.files);
    const hash = createNameHash(hashKey);
    const parts = { folder: place.folder, runsFolder: place.runsFolder, hash, standings: new Map() };
    const state = readFileSync(join(place.folder, watcherId));
    recoverRunFiles({ ...parts, observationOf: () => 2, isConcerned: () => true });
    expect(readFileSync(join(place.folder, watcherId))).toEqual(state);
    expect(readdirSync(place.runsFolder)).toEqual([]);
  });

  test("files of other watchers stay, and those that are being written", async () => {
    const { place, steps } = await stepsOfHandOver({ joins: false });
    const hash = createNameHash(hashKey);
    const parts = { folder: place.folder, runsFolder: place.runsFolder, hash, standings: new Map() };
    for (const { name, files } of steps) {
      restoreSnapshot(place.folder, files);
      const isConcerned = (id: string | null): boolean => id === "wch_other";
      recoverRunFiles({ ...parts, observationOf: () => 1, isConcerned });
      expect(takeSnapshot(place.folder), name).toEqual(files);
    }
  });
});
