import { describeError } from "../../kernel/errors/errors.ts";
import type { Log } from "../../kernel/log/log.ts";
import type { Clock, Timer } from "../../kernel/time/clock.ts";
import type { Instant } from "../../kernel/time/time.ts";
import type { RunEnded } from "../runs/index.ts";
import { healthOf } from "./health.ts";
import type { FromObserver, HealthCode, ToObserver, WatchOrder } from "./observing/messages.ts";
import type { WatcherObservation } from "./observation.ts";
import type { RunRequests } from "./run-requests.ts";
import type { WatcherStore } from "./store.ts";
import type { WatcherRow } from "./table.ts";

export interface WatchingParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: Pick<WatcherStore, "find" | "listAll">;
  readonly requests: RunRequests;
  /** Starts an observer for all watchers; called again if that ends by itself. */
  readonly openObserver: (listener: ObserverListener) => { readonly send: (message: ToObserver) => void; readonly stop: () => Promise<void> };
  readonly onHealth: (watcher: WatcherRow, observation: WatcherObservation) => void;
}

export interface ObserverListener {
  readonly onMessage: (message: FromObserver) => void;
  readonly onEnd: (failure: string) => void;
}

interface Work {
  readonly observation: number;
  code: HealthCode;
  since: Instant;
  isSettling: boolean;
  /** What settled files wait for: the end of a run of the task, or the task itself, which cannot start. */
  waitsFor: "room" | "task" | null;
  /** The run that files are being written for. */
  preparing: string | null;
}

const retryMs = 1_000;

export type Watching = ReturnType<typeof createWatching>;

/** Keeps the observer informed of the watchers, and turns the files that it finds settled into runs. */
export function createWatching(parts: WatchingParts) {
  const { clock, log, store, requests } = parts;
  const works = new Map<string, Work>();
  let observer: ReturnType<WatchingParts["openObserver"]> | null = null;
  let isStarted = false;
  let isStopped = false;
  let retry: Timer | null = null;

  return {
    observationOf: (watcher: WatcherRow): WatcherObservation => {
      const work = works.get(watcher.id);
      const isCurrent = work !== undefined && work.observation === watcher.observation && watcher.enabled;
      const code = !watcher.enabled ? "disabled" : isCurrent ? work.code : "starting";
      return {
        health: { ...healthOf[code], since: isCurrent ? work.since : watcher.updatedAt },
        isSettling: isCurrent && work.isSettling,
        waitsForRun: isCurrent && work.waitsFor !== null,
      };
    },
    loop: { start, stop },
    onCreated: ({ watcherId }: { readonly watcherId: string }): void => update(watcherId),
    onUpdated: ({ watcherId }: { readonly watcherId: string }): void => update(watcherId),
    onDeleted: ({ watcherId }: { readonly watcherId: string }): void => leave(watcherId),
    /** What kept a task from starting may be gone. */
    onReadinessChanged: (): void => {
      for (const [watcherId, work] of works)
        if (work.waitsFor === "task" && requests.canStart(watcherId)) offerAgain(watcherId, work);
    },
    onRunEnded: ({ runId, taskId, end }: RunEnded): void => {
      const { sourceWatcherId, startedAt } = end;
      if (sourceWatcherId !== null)
        send({ is: "ended", watcherId: sourceWatcherId, runId, wasStarted: startedAt !== null });
      for (const [watcherId, work] of works)
        if (work.waitsFor === "room" && store.find(watcherId)?.targetTaskId === taskId) offerAgain(watcherId, work);
    },
  };

  function start(): void {
    isStarted = true;
    const enabled = store.listAll().filter((watcher) => watcher.enabled);
    if (enabled.length === 0) return;
    for (const watcher of enabled) observe(watcher, { isStart: true });
  }

  async function stop(): Promise<void> {
    isStopped = true;
    retry?.cancel();
    await observer?.stop();
  }

  /** After the commit of a change. Before the start, the start reads the row. */
  function update(watcherId: string): void {
    const watcher = store.find(watcherId);
    if (!isStarted || watcher === undefined) return;
    if (!watcher.enabled) return leave(watcherId);
    const work = works.get(watcherId);
    if (work?.observation === watcher.observation) {
      send({ is: "timings", watcherId, watcher: orderOf(watcher) });
      return consider(watcherId);
    }
    observe(watcher, { isStart: false });
  }

  function observe(watcher: WatcherRow, { isStart }: { readonly isStart: boolean }): void {
    works.set(watcher.id, {
      observation: watcher.observation,
      code: "starting",
      since: clock.now(),
      isSettling: false,
      waitsFor: null,
      preparing: null,
    });
    send({ is: "observe", watcherId: watcher.id, watcher: orderOf(watcher), isStart });
  }

  function leave(watcherId: string): void {
    if (works.delete(watcherId)) send({ is: "leave", watcherId });
  }

  function send(message: ToObserver): void {
    if (!isStarted || isStopped || retry !== null) return;
    observer ??= parts.openObserver({ onMessage, onEnd });
    observer.send(message);
  }

  /** It begins again, and looks at everything. */
  function onEnd(failure: string): void {
    log.error("watchers.observer_failed", { failure });
    observer = null;
    for (const [watcherId, work] of works) setHealth(watcherId, work, "failed");
    retry = clock.after(retryMs, () => {
      retry = null;
      start();
    });
  }

  function onMessage(message: FromObserver): void {
    if (isStopped) return;
    if (message.is === "failure")
      return log.error("watchers.failed", { watcher_id: message.watcherId, failure: message.failure });
    const { watcherId } = message;
    const work = works.get(watcherId);
    if (work === undefined) {
      if (message.is === "prepared") send({ is: "refused", watcherId, runId: message.runId });
      return;
    }
    switch (message.is) {
      case "health":
        return setHealth(watcherId, work, message.code);
      case "settling":
        work.isSettling = message.isSettling;
        return;
      case "settled":
        return consider(watcherId, { isSettled: true });
      case "prepared":
        return request(watcherId, work, message.runId);
      case "unprepared":
        work.preparing = null;
        if (message.failure === null) return;
        log.error("watchers.files_not_written", { watcher_id: watcherId, failure: message.failure });
        return waitAndRetry(watcherId, work);
    }
  }

  /** Decides what becomes of settled files. */
  function consider(watcherId: string, { isSettled = false } = {}): void {
    const work = works.get(watcherId);
    if (work === undefined || work.preparing !== null) {
      // what is being prepared may leave some of them over
      if (work !== undefined && isSettled) work.waitsFor = "room";
      return;
    }
    if (!isSettled && work.waitsFor === null) return;
    try {
      const verdict = requests.decide(watcherId);
      work.waitsFor = verdict.is === "wait" ? verdict.for : null;
      if (verdict.is !== "prepare") return;
      work.preparing = verdict.runId;
      send({ is: "prepare", watcherId, runId: verdict.runId, joins: verdict.joins });
    } catch (error) {
      log.error("watchers.request_failed", { watcher_id: watcherId, error: describeError(error) });
      waitAndRetry(watcherId, work);
    }
  }

  function request(watcherId: string, work: Work, runId: string): void {
    const isExpected = work.preparing === runId;
    work.preparing = null;
    let isRequested = false;
    try {
      isRequested = isExpected && requests.request(watcherId, { runId, observation: work.observation });
    } catch (error) {
      log.error("watchers.request_failed", { watcher_id: watcherId, error: describeError(error) });
      send({ is: "refused", watcherId, runId });
      return waitAndRetry(watcherId, work);
    }
    send({ is: isRequested ? "handed" : "refused", watcherId, runId });
    if (work.waitsFor !== null || !isRequested) offerAgain(watcherId, work);
  }

  function waitAndRetry(watcherId: string, work: Work): void {
    work.waitsFor = "room";
    clock.after(retryMs, () => {
      if (works.get(watcherId) === work && work.waitsFor !== null && work.preparing === null) offerAgain(watcherId, work);
    });
  }

  /** The observer offers what is settled, once nothing is still changing. */
  function offerAgain(watcherId: string, work: Work): void {
    work.waitsFor = null;
    send({ is: "free", watcherId });
  }

  function setHealth(watcherId: string, work: Work, code: HealthCode): void {
    if (work.code === code) return;
    const isSameForUsers = healthOf[work.code] === healthOf[code];
    work.code = code;
    if (isSameForUsers) return;
    work.since = clock.now();
    const watcher = store.find(watcherId);
    if (watcher !== undefined)
      parts.onHealth(watcher, { health: { ...healthOf[code], since: work.since }, isSettling: work.isSettling, waitsForRun: work.waitsFor !== null });
  }
}

function orderOf(watcher: WatcherRow): WatchOrder {
  return {
    id: watcher.id,
    kind: watcher.kind,
    path: watcher.path,
    pattern: watcher.pattern ?? "*",
    isRecursive: watcher.recursive,
    onStart: watcher.onStart,
    observation: watcher.observation,
    observedFrom: watcher.observedFrom,
    debounceMs: watcher.debounceMs,
    stabilityMs: watcher.stabilityMs,
    maxWaitMs: watcher.maxWaitMs,
  };
}
