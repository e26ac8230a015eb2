import { tempDir, until } from "@belfry/test-kit";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { type Harness, type Json, startDaemon } from "./harness.ts";
import { type Daemon, made2xx, makeTask, untilReady } from "./tasks.ts";

/** One daemon for a test file, at its top. */
export function useDaemon(): () => Harness {
  let daemon: Harness;
  beforeAll(async () => {
    daemon = await startDaemon();
    await untilReady(daemon, await makeTask(daemon, "true"));
  });
  afterAll(() => daemon?.[Symbol.asyncDispose]());
  return () => daemon;
}

export interface WatchOptions {
  /** Members of the watcher; `path` is `in` of the place if it is left out. */
  readonly watcher?: object;
  readonly task?: object;
  /** What the task does before it ends. */
  readonly script?: string;
  /** Where the test's files are; a new directory if it is left out. */
  readonly place?: string;
  /** Called before the watcher is created. */
  readonly arrange?: (root: string) => void;
  /** Its path is that of this file in the directory. */
  readonly member?: string;
  /** Its health once it observes. */
  readonly health?: string;
}

export type Watching = Awaited<ReturnType<typeof watch>>;

/** Long enough that a busy machine does not pause a program for as long; a test of many steps takes shorter ones. */
export const timings = { debounce: "100ms", stability: "50ms" };

/** `timings.debounce` in milliseconds. */
const debounceMs = 100;

let watchers = 0;
let markers = 0;
let fences = 0;

/** A watcher of a directory of its own, and the files of each of its runs, as its task received them. */
export async function watch(daemon: Daemon, options: WatchOptions = {}) {
  const dir = options.place === undefined ? await tempDir("bw-") : null;
  const folder = options.place ?? dir!.path;
  const root = join(folder, "in");
  const handed = join(folder, "handed");
  mkdirSync(root, { recursive: true });
  mkdirSync(handed, { recursive: true });
  options.arrange?.(root);
  if (options.arrange !== undefined) await passSlack();
  const receive = `cp "$BELFRY_FILES_FILE" '${handed}'/.$BELFRY_RUN_ID && mv '${handed}'/.$BELFRY_RUN_ID '${handed}'/$BELFRY_RUN_ID`;
  const hold = join(folder, "hold");
  const wait = `while [ -e '${hold}' ]; do sleep 0.01; done`;
  const task = await makeTask(daemon, [receive, wait, options.script ?? ""].join("\n"), options.task);
  const definition = {
    name: `watcher ${++watchers}`,
    kind: "directory",
    path: join(root, options.member ?? ""),
    target_task_id: task.id,
  };
  const watcher = await made2xx(
    daemon.call("POST", "/v1/filesystem-watchers", { ...definition, ...timings, ...options.watcher }),
  );
  const id: string = watcher.id;
  const read = (): Promise<Json> => made2xx(daemon.call("GET", `/v1/filesystem-watchers/${id}`));
  const untilHealth = (state: string, withinMs?: number): Promise<Json> =>
    until(`${id} is ${state}`, async () => ((await read()).health.state === state ? read() : null), withinMs);
  /** The runs of the watcher, oldest first. */
  const runs = async (): Promise<readonly Json[]> => {
    const { runs: listed } = await made2xx(daemon.call("GET", `/v1/runs?task_id=${task.id}&limit=500`));
    return (listed as Json[]).filter((run) => run.source_watcher_id === id).reverse();
  };
  /** The paths of a run's files below the root, sorted. */
  const filesOf = (run: Json): readonly string[] =>
    readFileSync(join(handed, run.id), "utf8")
      .split("\0")
      .slice(0, -1)
      .map((path) => (path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path))
      .toSorted();
  /** The files of each ended run. */
  const ended = async (): Promise<readonly (readonly string[])[]> => {
    const ends = (await runs()).filter((run) => run.ended_at !== null && existsSync(join(handed, run.id)));
    return ends.map(filesOf);
  };
  const why = async (): Promise<string> => {
    const { watchers: all } = await made2xx(daemon.call("GET", `/v1/tasks/${task.id}/why`));
    return (all as Json[]).find((each) => each.watcher_id === id).reason;
  };
  /** Resolves once nothing more settles: the notices of what a program has just done may still be on their way. */
  const untilCalm = async (): Promise<void> => {
    let looks = 0;
    await until("nothing that settles", async () => {
      looks = (await why()).includes("stay unchanged") ? 0 : looks + 1;
      return looks === 50;
    });
  };
  /** How many runs the test has checked. */
  const checked = { count: 0 };
  const makeFence = fencesOf(daemon, root);

  if (options.health !== "any") await untilHealth(options.health ?? "observing");

  return {
    daemon,
    place: folder,
    root,
    id,
    taskId: task.id as string,
    read,
    runs,
    ended,
    untilHealth,
    path: (name: string): string => join(root, name),
    /** Resolves with the runs' files once so many runs have ended. */
    untilEnded: (count: number): Promise<readonly (readonly string[])[]> =>
      until(`${count} ended runs of ${id}`, async () => {
        const lists = await ended();
        return lists.length >= count ? lists : null;
      }),
    /** Resolves once the runs have so many files together. */
    untilFiles: (count: number): Promise<readonly (readonly string[])[]> =>
      until(`${count} files in the runs of ${id}`, async () => {
        const lists = await ended();
        return lists.flat().length >= count ? lists : null;
      }),
    checked,
    /** A new file that appears complete; returns its name. */
    mark: (): string => mark(root),
    hold: (): void => writeFileSync(hold, ""),
    release: (): void => rmSync(hold),
    why,
    /** Resolves once changes have settled, and wait for the end of a run. */
    untilWaiting: async (): Promise<void> => {
      const isWaiting = (reason: string) =>
        reason.startsWith("Files have changed, and") && !reason.includes("stay unchanged");
      await until("settled files that wait", async () => isWaiting(await why()));
    },
    /** The files are old enough for a baseline that begins now. */
    pass: passSlack,
    /** Works while a run of a marker file is held, so that the work belongs to one run, however long a busy machine takes. */
    whileHeld: async (work: () => void | Promise<void>): Promise<void> => {
      writeFileSync(hold, "");
      const untilRead = await makeFence();
      const marker = mark(root);
      await until("the held run", async () => (await runs()).some(({ state }) => state === "running"));
      await work();
      await untilRead();
      await untilCalm();
      rmSync(hold);
      await until("the end of the held run", async () => (await ended()).length > checked.count);
      expect((await ended())[checked.count]).toEqual([marker]);
      checked.count++;
    },
    patch: (body: object): Promise<Json> => made2xx(daemon.call("PATCH", `/v1/filesystem-watchers/${id}`, body)),
    /** Enables or disables it. */
    ask: (what: "enable" | "disable"): Promise<Json> =>
      made2xx(daemon.call("POST", `/v1/filesystem-watchers/${id}/${what}`)),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      // the daemon may have been stopped by the test
      await daemon.call("DELETE", `/v1/filesystem-watchers/${id}`).catch(() => {});
      await dir?.[Symbol.asyncDispose]();
    },
  };
}

/**
 * Since the last check, exactly these runs were handed exactly these files. A marker file, written afterwards, shows that no
 * other run was on its way: whatever else had changed would be in its run, or in one before it.
 */
export async function expectRuns(watching: Watching, ...lists: readonly (readonly string[])[]): Promise<void> {
  const { checked, ended } = watching;
  await watching.untilEnded(checked.count + lists.length);
  const marker = watching.mark();
  const seen = await until(`the run of ${marker}`, async () => {
    const all = await ended();
    return all.flat().includes(marker) ? all : null;
  });
  expect(seen.slice(checked.count)).toEqual([...lists.map((list) => list.toSorted()), [marker]]);
  checked.count = seen.length;
}

/** The next run since the last check was handed exactly these files. */
export async function expectNext({ checked, ...watching }: Watching, ...list: readonly string[]): Promise<void> {
  const all = await watching.untilEnded(checked.count + 1);
  expect(all[checked.count]).toEqual(list.toSorted());
  checked.count++;
}

/**
 * A watcher, and changes made within half its debounce. A machine that pauses between two of them separates them, so the
 * changes are made again under another watcher.
 */
export async function watchChanged(daemon: Daemon, change: (root: string) => void): Promise<Watching> {
  for (;;) {
    const watching = await watch(daemon);
    const begunAt = performance.now();
    change(watching.root);
    if (performance.now() - begunAt < debounceMs / 2) return watching;
    await watching[Symbol.asyncDispose]();
  }
}

/**
 * Makes watchers of a dot file beside those that a test sees. The system reports changes in their order, so whoever has noticed
 * the dot file, written last, has noticed all that changed before it.
 */
function fencesOf(daemon: Daemon, root: string): () => Promise<() => Promise<void>> {
  let task: Json = null;
  return async () => {
    if (task === null) {
      task = await makeTask(daemon, "true");
      // its runs never start, so that its watchers say that they wait
      await made2xx(daemon.call("POST", `/v1/tasks/${task.id}/disable`));
    }
    const name = `.fence-${++fences}`;
    const definition = {
      name: `fence ${fences}`,
      kind: "directory",
      path: root,
      pattern: name,
      target_task_id: task.id,
      debounce: "25ms",
      stability: "25ms",
    };
    const { id } = await made2xx(daemon.call("POST", "/v1/filesystem-watchers", definition));
    const at = `/v1/filesystem-watchers/${id}`;
    await until(`${id} observes`, async () => (await made2xx(daemon.call("GET", at))).health.state === "observing");
    return async () => {
      place(root, name);
      await until(`${name} is noticed`, async () => {
        const { watchers: all } = await made2xx(daemon.call("GET", `/v1/tasks/${task.id}/why`));
        return (all as Json[]).find((each) => each.watcher_id === id).reason.includes("no run can start");
      });
      await made2xx(daemon.call("DELETE", at));
      rmSync(join(root, name));
    };
  };
}

/** Files that change this shortly before a watcher is created count as changed: the times of files are coarse. */
const slackMs = 20;

async function passSlack(): Promise<void> {
  const begunAt = performance.now();
  await until("the files are older than the watcher", () => performance.now() - begunAt > slackMs);
}

/** A new file that appears complete, by one rename from beside the directory. */
function mark(root: string): string {
  const name = `marker-${++markers}`;
  place(root, name);
  return name;
}

/** A file with this content appears, or replaces another, by one rename: there is no moment at which it is half written. */
export function place(root: string, name: string, content = name): void {
  const beside = `${root}.${process.pid}.new`;
  rmSync(beside, { force: true });
  writeFileSync(beside, content);
  renameSync(beside, join(root, name));
}
