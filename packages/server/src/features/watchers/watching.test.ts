import { ManualClock } from "@belfry/test-kit";
import { describe, expect, test } from "vitest";
import { createLog, type LogEntry } from "../../kernel/log/log.ts";
import type { RunEnded } from "../runs/index.ts";
import type { MountPoint } from "./observers.ts";
import type { FromObserver, ToObserver } from "./observing/messages.ts";
import type { Verdict } from "./run-requests.ts";
import type { WatcherRow } from "./table.ts";
import { createWatching, type ObserverListener } from "./watching.ts";

const watcherId = "wch_1";
const row = {
  id: watcherId,
  kind: "directory",
  path: "/inbox",
  pattern: "*",
  recursive: false,
  onStart: "scan",
  enabled: true,
  targetTaskId: "tsk_1",
  observation: 1,
  observedFrom: 0,
  debounceMs: 100,
  stabilityMs: 100,
  maxWaitMs: 1_000,
  updatedAt: 0,
} as WatcherRow;

type Sent = ToObserver & { readonly mount: MountPoint };

/** Watchers with simulated observers: a test reads what they are sent, and posts what they would. */
function setup({ rows = [row], isStarted = true } = {}) {
  const clock = new ManualClock();
  const logged: LogEntry[] = [];
  const stored = new Map(rows.map((each) => [each.id, each]));
  const sent: Sent[] = [];
  const healths: string[] = [];
  const requested: string[] = [];
  const removed: string[] = [];
  const recovered: string[][] = [];
  const plan = {
    decide: (): Verdict => ({ is: "prepare", runId: `run_${++runs}`, joins: false }),
    request: (): boolean => true,
    canStart: true,
    mayReplace: false,
    /** Other tasks whose runs count against the same limit. */
    sharing: new Set<string>(),
    mount: null as MountPoint,
  };
  let runs = 0;
  let listener: ObserverListener;
  const watching = createWatching({
    clock,
    log: createLog(clock, "debug", [(entry) => void logged.push(entry)]),
    store: { find: (id) => stored.get(id), listAll: () => [...stored.values()] },
    requests: {
      decide: () => plan.decide(),
      canStart: () => plan.canStart,
      sharesLimit: (_id, taskId) => plan.sharing.has(taskId) || stored.get(_id)?.targetTaskId === taskId,
      mayReplaceStarted: () => plan.mayReplace,
      request: (_id, { runId }) => {
        requested.push(runId);
        return plan.request();
      },
      removeFiles: (runId) => void removed.push(runId),
    },
    openObservers: (given) => {
      listener = given;
      return { send: (mount, message) => void sent.push({ ...message, mount }), stop: async () => {} };
    },
    mountOf: () => plan.mount,
    recover: (isConcerned) => void recovered.push([...stored.keys()].filter(isConcerned)),
    onHealth: (_watcher, { health }) => void healths.push(health.state),
  });
  if (isStarted) watching.loop.start();
  return {
    ...watching,
    clock,
    plan,
    logged,
    stored,
    healths,
    requested,
    removed,
    recovered,
    post: (message: FromObserver, mount: MountPoint = null): void => listener.onMessage(message, mount),
    settle: (): void => listener.onMessage({ is: "settled", watcherId, count: 1 }, null),
    lose: (why: "ended" | "no_answer", mount: MountPoint = null): void =>
      listener.onLost(mount, { why, failure: "SIGKILL", gone: Promise.resolve() }),
    change: (change: Partial<WatcherRow>): void => {
      stored.set(watcherId, { ...stored.get(watcherId)!, ...change });
      watching.onUpdated({ watcherId });
    },
    /** What was sent since the last call, in a few words. */
    taken: (): readonly string[] =>
      sent.splice(0).map((message) => ("runId" in message ? `${message.is} ${message.runId}` : message.is)),
    takenWhole: (): readonly Sent[] => sent.splice(0),
  };
}

function ended(change: { readonly [name: string]: unknown } = {}): RunEnded {
  const { watcher = watcherId, started = 1, from = "running", ...more } = change;
  const end = { sourceWatcherId: watcher, startedAt: started };
  return {
    name: "run.ended",
    runId: "run_1",
    taskId: "tsk_1",
    outcome: null,
    from,
    end,
    ...more,
  } as unknown as RunEnded;
}

const prepared = (runId: string): FromObserver => ({ is: "prepared", watcherId, runId, count: 1 });
const unprepared = (runId: string, failure: string | null): FromObserver => ({
  is: "unprepared",
  watcherId,
  runId,
  failure,
});

describe("what is observed", () => {
  test("is every enabled watcher at the start, after the files of all runs were recovered", () => {
    const { recovered, clock, loop, takenWhole } = setup({
      rows: [row, { ...row, id: "wch_2", enabled: false }],
      isStarted: false,
    });
    loop.start();
    expect(recovered).toEqual([[watcherId, "wch_2"]]);
    expect(takenWhole()).toMatchObject([{ is: "observe", watcherId, startedAt: clock.now(), mount: null }]);
  });

  test("changes with the definition: timings, another selection, disabled, enabled, deleted", () => {
    const { change, taken, stored, onDeleted } = setup();
    taken();
    change({ debounceMs: 50 });
    expect(taken()).toEqual(["timings"]);
    change({ path: "/other", observation: 2 });
    expect(taken()).toEqual(["observe"]);
    change({ enabled: false, observation: 3 });
    expect(taken()).toEqual(["leave"]);
    change({ enabled: true, observation: 4 });
    expect(taken()).toEqual(["observe"]);
    stored.delete(watcherId);
    onDeleted({ watcherId });
    onDeleted({ watcherId });
    expect(taken()).toEqual(["leave"]);
  });

  test("before the start and after the stop nothing is sent, and no files are removed", async () => {
    const { loop, change, onRunEnded, taken, removed } = setup({ isStarted: false });
    change({ path: "/other", observation: 2 });
    onRunEnded(ended());
    expect(taken()).toEqual([]);
    loop.start();
    expect(taken()).toEqual(["observe"]);
    await loop.stop();
    onRunEnded(ended());
    change({ path: "/third", observation: 3 });
    expect(taken()).toEqual([]);
    expect(removed).toEqual([]);
  });

  test("goes on with another observer where the path leads to a mount", () => {
    const { plan, post, takenWhole, recovered, onRunEnded } = setup();
    takenWhole();
    recovered.length = 0;
    plan.mount = "/net";
    post({ is: "health", watcherId, code: "elsewhere" });
    expect(takenWhole()).toMatchObject([{ is: "leave", isForgotten: false, mount: null }]);
    // what happens until the former one has written everything is found in the files of the run
    onRunEnded(ended());
    expect(takenWhole()).toEqual([]);
    post({ is: "left", watcherId });
    expect(recovered).toEqual([[watcherId]]);
    expect(takenWhole()).toMatchObject([{ is: "observe", startedAt: null, mount: "/net" }]);
    post({ is: "left", watcherId });
    expect(takenWhole()).toEqual([]);
  });

  test("goes on with another observer where the former one is lost before it has left", () => {
    const { plan, post, takenWhole, lose } = setup();
    plan.mount = "/net";
    post({ is: "health", watcherId, code: "elsewhere" });
    takenWhole();
    lose("ended");
    expect(takenWhole()).toMatchObject([{ is: "observe", mount: "/net" }]);
  });
});

describe("settled files", () => {
  test("are written, then their run is requested, then they are known", () => {
    const { settle, post, taken, requested } = setup();
    taken();
    settle();
    expect(taken()).toEqual(["prepare run_1"]);
    expect(requested).toEqual([]);
    post(prepared("run_1"));
    expect(requested).toEqual(["run_1"]);
    expect(taken()).toEqual(["handed run_1"]);
  });

  test("are offered again if their run is refused after all", () => {
    const { plan, settle, post, taken } = setup();
    taken();
    plan.request = () => false;
    settle();
    post(prepared("run_1"));
    expect(taken()).toEqual(["prepare run_1", "refused run_1", "free"]);
  });

  test("that settle while others are written are offered next", () => {
    const { settle, post, taken } = setup();
    taken();
    settle();
    settle();
    post(prepared("run_1"));
    expect(taken()).toEqual(["prepare run_1", "handed run_1", "free"]);
    settle();
    post(unprepared("run_2", null));
    expect(taken()).toEqual(["prepare run_2"]);
  });

  test("that are gone before they are written hold nothing up", () => {
    const { settle, post, taken, observationOf, stored } = setup();
    taken();
    settle();
    settle();
    post(unprepared("run_1", null));
    expect(taken()).toEqual(["prepare run_1", "free"]);
    expect(observationOf(stored.get(watcherId)!).waitsFor).toBeNull();
  });

  test("wait for the end of a run of the task, and for no other", () => {
    const { plan, settle, taken, onRunEnded, observationOf, stored } = setup();
    taken();
    plan.decide = () => ({ is: "wait", for: "slot" });
    settle();
    expect(observationOf(stored.get(watcherId)!).waitsFor).toBe("slot");
    onRunEnded(ended({ watcher: null, taskId: "tsk_other" }));
    // a row that was written as skipped
    onRunEnded(ended({ from: null, started: null }));
    expect(taken()).toEqual([]);
    onRunEnded(ended({ watcher: null }));
    expect(taken()).toEqual(["free"]);
  });

  test("wait for the end of a run of another task that shares the limit", () => {
    const { plan, settle, taken, onRunEnded } = setup();
    plan.decide = () => ({ is: "wait", for: "slot" });
    plan.sharing.add("tsk_other");
    settle();
    taken();
    onRunEnded(ended({ watcher: null, taskId: "tsk_other" }));
    expect(taken()).toEqual(["free"]);
  });

  test("wait for the start of a run that waited before them, if they may replace it then", () => {
    const { plan, settle, taken, onRunDispatched } = setup();
    plan.decide = () => ({ is: "wait", for: "slot" });
    settle();
    taken();
    onRunDispatched({ taskId: "tsk_1" });
    expect(taken()).toEqual([]);
    plan.mayReplace = true;
    onRunDispatched({ taskId: "tsk_1" });
    expect(taken()).toEqual(["free"]);
  });

  test("wait for the end of the watcher's own run, also if that is of a former target", () => {
    const { plan, settle, taken, onRunEnded, change } = setup();
    plan.decide = () => ({ is: "wait", for: "slot" });
    settle();
    change({ targetTaskId: "tsk_2" });
    taken();
    onRunEnded(ended({ taskId: "tsk_1" }));
    expect(taken()).toEqual(["ended run_1", "free"]);
  });

  test("wait for a slot no longer than until a task or group is changed, which may raise a limit", () => {
    const { plan, settle, taken, onReadinessChanged } = setup();
    taken();
    plan.decide = () => ({ is: "wait", for: "slot" });
    settle();
    onReadinessChanged();
    expect(taken()).toEqual(["free"]);
  });

  test("wait for a task that cannot start, until it can", () => {
    const { plan, settle, taken, onReadinessChanged, onRunEnded } = setup();
    taken();
    plan.decide = () => ({ is: "wait", for: "task" });
    plan.canStart = false;
    settle();
    onReadinessChanged();
    onRunEnded(ended({ watcher: null }));
    expect(taken()).toEqual([]);
    plan.canStart = true;
    onReadinessChanged();
    expect(taken()).toEqual(["free"]);
    onReadinessChanged();
    expect(taken()).toEqual([]);
  });

  test("are offered again a second after the files could not be written", async () => {
    const { clock, settle, post, taken, logged } = setup();
    taken();
    settle();
    post(unprepared("run_1", "ENOSPC"));
    expect(logged.map(({ event }) => event)).toEqual(["watchers.files_not_written"]);
    expect(taken()).toEqual(["prepare run_1"]);
    await clock.advance(999);
    expect(taken()).toEqual([]);
    await clock.advance(1);
    expect(taken()).toEqual(["free"]);
  });

  test("are tried again once in a second, however often others settle meanwhile", async () => {
    const { clock, observationOf, stored, settle, post, taken } = setup();
    taken();
    for (let time = 1; time <= 5; time++) {
      settle();
      post(unprepared(`run_${time}`, "ENOSPC"));
      await clock.advance(100);
    }
    expect(observationOf(stored.get(watcherId)!).waitsFor).toBe("retry");
    taken();
    await clock.advance(5_000);
    expect(taken()).toEqual(["free"]);
  });

  test("are offered again a second after the database failed", async () => {
    const { clock, plan, settle, post, taken, logged } = setup();
    taken();
    plan.request = () => {
      throw new Error("database or disk is full");
    };
    settle();
    post(prepared("run_1"));
    expect(taken()).toEqual(["prepare run_1", "refused run_1"]);
    await clock.advance(1_000);
    expect(taken()).toEqual(["free"]);
    const { decide } = plan;
    plan.decide = plan.request as never;
    settle();
    expect(taken()).toEqual([]);
    plan.decide = decide;
    await clock.advance(1_000);
    expect(taken()).toEqual(["free"]);
    expect(logged.map(({ event }) => event)).toEqual(["watchers.request_failed", "watchers.request_failed"]);
  });

  test("of a former observation are refused, and the present ones go on", () => {
    const { settle, post, taken, requested, change } = setup();
    settle();
    change({ path: "/other", observation: 2 });
    settle();
    taken();
    post(prepared("run_1"));
    post(unprepared("run_1", "ENOENT"));
    expect(taken()).toEqual(["refused run_1"]);
    post(prepared("run_2"));
    expect(taken()).toEqual(["handed run_2"]);
    expect(requested).toEqual(["run_2"]);
  });

  test("of a watcher that was disabled or deleted meanwhile are refused", () => {
    const { settle, post, change, takenWhole, requested } = setup();
    settle();
    change({ enabled: false, observation: 2 });
    takenWhole();
    post(prepared("run_1"));
    expect(takenWhole()).toMatchObject([{ is: "refused", runId: "run_1" }]);
    settle();
    expect(takenWhole()).toEqual([]);
    expect(requested).toEqual([]);
  });
});

describe("the end of a run", () => {
  test("is reported with whether it was started", () => {
    const { onRunEnded, takenWhole } = setup();
    takenWhole();
    onRunEnded(ended());
    onRunEnded(ended({ started: null, from: "queued" }));
    expect(takenWhole()).toMatchObject([
      { is: "ended", runId: "run_1", wasStarted: true },
      { is: "ended", runId: "run_1", wasStarted: false },
    ]);
  });

  test("removes the files of a watcher that nobody observes any more", () => {
    const { onRunEnded, change, taken, removed } = setup();
    change({ enabled: false, observation: 2 });
    taken();
    onRunEnded(ended());
    expect(removed).toEqual(["run_1"]);
    expect(taken()).toEqual([]);
  });
});

describe("an observer that ends", () => {
  test("begins again after a second, and looks at what has changed since", async () => {
    const { clock, lose, post, settle, takenWhole, healths, recovered, onRunEnded } = setup();
    post({ is: "health", watcherId, code: "observing" });
    settle();
    takenWhole();
    lose("ended");
    expect(healths).toEqual(["observing", "error"]);
    onRunEnded(ended());
    expect(takenWhole()).toEqual([]);
    recovered.length = 0;
    await clock.advance(1_000);
    expect(recovered).toEqual([[watcherId]]);
    expect(takenWhole()).toMatchObject([{ is: "observe", startedAt: null }]);
    // what was prepared by the former one is no longer expected
    post(prepared("run_1"));
    expect(takenWhole()).toMatchObject([{ is: "refused" }]);
    settle();
    expect(takenWhole()).toMatchObject([{ is: "prepare", runId: "run_2" }]);
  });

  test("begins again with what the watchers are by then", async () => {
    const { clock, lose, change, takenWhole } = setup();
    takenWhole();
    lose("ended");
    change({ path: "/other", observation: 2 });
    await clock.advance(1_000);
    expect(takenWhole()).toMatchObject([{ is: "observe", watcher: { path: "/other", observation: 2 } }]);
    lose("ended");
    change({ enabled: false, observation: 3 });
    await clock.advance(1_000);
    expect(takenWhole()).toEqual([]);
  });

  test("of one mount leaves the others alone, and one that does not answer is tried again after a minute", async () => {
    const { clock, plan, lose, change, post, takenWhole, healths } = setup();
    plan.mount = "/net";
    change({ path: "/net/in", observation: 2 });
    post({ is: "left", watcherId });
    takenWhole();
    lose("ended");
    expect(healths).toEqual([]);
    lose("no_answer", "/net");
    expect(healths).toEqual(["error"]);
    await clock.advance(59_999);
    expect(takenWhole()).toEqual([]);
    await clock.advance(1);
    expect(takenWhole()).toMatchObject([{ is: "observe", mount: "/net" }]);
  });
});

test("health is reported once for each change that people can see, and begins anew with an observation", () => {
  const { post, healths, change, observationOf, stored } = setup();
  const health = () => observationOf(stored.get(watcherId)!).health.state;
  expect(health()).toBe("starting");
  for (const code of ["observing", "observing", "missing", "observing"] as const)
    post({ is: "health", watcherId, code });
  expect(healths).toEqual(["observing", "missing_path", "observing"]);
  change({ path: "/other", observation: 2 });
  expect(health()).toBe("starting");
  change({ enabled: false, observation: 3 });
  expect(health()).toBe("stopped");
});
