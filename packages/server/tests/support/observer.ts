import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ManualClock, tempDir, until } from "@belfry/test-kit";
import type { FromObserver, WatchOrder } from "../../src/features/watchers/observing/messages.ts";
import { createSelector } from "../../src/features/watchers/observing/select.ts";
import { serveObserver } from "../../src/features/watchers/observing/serve.ts";
import { newId } from "../../src/kernel/ids.ts";

type Message<Is extends FromObserver["is"]> = Extract<FromObserver, { readonly is: Is }>;

const hashKey = new Uint8Array(32).fill(7);

/** Folders for observers that live one after the other, and a folder that they observe. */
export async function openObserverPlace() {
  const dir = await tempDir("bw-");
  const [root, folder] = [join(dir.path, "in"), join(dir.path, "state")];
  const runsFolder = join(folder, "files");
  for (const path of [root, folder, runsFolder]) mkdirSync(path);
  return { root, folder, runsFolder, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

export type ObserverPlace = Awaited<ReturnType<typeof openObserverPlace>>;

/**
 * An observer in this process, with real files and a manual clock. Nothing notifies it by itself: `hint` does, so that a test
 * chooses the order.
 */
export function startTestObserver(
  place: ObserverPlace,
  options: {
    readonly clock?: ManualClock;
    readonly isRemote?: (path: string) => boolean;
    readonly filesMax?: number;
  } = {},
) {
  const { clock = new ManualClock(), isRemote = () => false, filesMax = Infinity } = options;
  const { root, folder, runsFolder } = place;
  const posted: FromObserver[] = [];
  const watches = new Map<string, (name: string | null) => void>();
  const served = serveObserver({
    clock,
    folder,
    runsFolder,
    hashKey,
    isRemote,
    isOwn: () => false,
    selectorOf: createSelector,
    watchDirectory: (path, { onHint }) => {
      const at = path.toString();
      watches.set(at, onHint);
      return { close: () => watches.get(at) === onHint && watches.delete(at) };
    },
    isPolled: false,
    filesMax,
    overflowAt: 1_000,
    post: (message) => posted.push(message),
  });
  const last = <Is extends FromObserver["is"]>(is: Is) =>
    posted.findLast((each): each is Message<Is> => each.is === is);
  const order: WatchOrder = {
    id: "wch_1",
    kind: "directory",
    path: root,
    pattern: "*",
    isRecursive: true,
    onStart: "scan",
    observation: 1,
    observedFrom: Date.now(),
    debounceMs: 100,
    stabilityMs: 200,
    maxWaitMs: 2_000,
  };
  const watcherId = order.id;
  return {
    ...served,
    posted,
    last,
    clock,
    order,
    watched: () => served.observer.watchers.get(watcherId)!,
    watches: () => [...watches.keys()].map((path) => path.replace(root, ".")),
    observe: async (change: Partial<WatchOrder> = {}, isStart = false): Promise<void> => {
      const watcher = { ...order, ...change };
      served.take({ is: "observe", watcherId, watcher, startedAt: isStart ? Date.now() : null });
      await clock.advance(1);
    },
    hint: (name: string | null, directory = ""): void => watches.get(join(root, directory))?.(name),
    /** Longer than debounce and stability together. */
    settle: () => clock.advance(500),
    /** The names, below the root, that are given to a new run, or to one that waits. */
    handOver: async (runId = newId("run"), joins = false): Promise<readonly string[]> => {
      served.take({ is: "prepare", watcherId, runId, joins });
      const isAnswer = (each: FromObserver) => "runId" in each && each.runId === runId;
      const answer = await until("the files are written", () => posted.find(isAnswer));
      if (answer.is === "unprepared") return [];
      posted.length = 0;
      if (!joins) served.take({ is: "handed", watcherId, runId });
      const paths = readFileSync(join(runsFolder, runId), "utf8").split("\0").slice(0, -1);
      return paths.map((path) => path.replace(`${root}/`, "")).toSorted();
    },
    [Symbol.asyncDispose]: () => served.stop(),
  };
}

export type TestObserver = ReturnType<typeof startTestObserver>;

export async function openTestObserver(change: Partial<WatchOrder> = {}) {
  const place = await openObserverPlace();
  const observer = startTestObserver(place);
  await observer.observe(change);
  return {
    ...place,
    ...observer,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await observer.stop();
      await place[Symbol.asyncDispose]();
    },
  };
}
