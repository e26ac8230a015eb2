import { describeError } from "../../kernel/errors/errors.ts";
import type { Log } from "../../kernel/log/log.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import type { Instant } from "../../kernel/time/time.ts";
import type { RunEnded } from "../runs/index.ts";
import { healthOf } from "./health.ts";
import type { Returned } from "./handing/recover.ts";
import type { Observers, ObserversParts, MountPoint } from "./observers.ts";
import type { FromObserver, HealthCode, ReturnedNames, ToObserver, WatchOrder } from "./observing/messages.ts";
import type { WatcherObservation } from "./observation.ts";
import type { RunRequests } from "./run-requests.ts";
import type { WatcherStore } from "./store.ts";
import type { WatcherRow } from "./table.ts";

export interface WatchingParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: Pick<WatcherStore, "find" | "listAll">;
  readonly requests: RunRequests;
  readonly openObservers: (listener: ObserverListener) => Pick<Observers, "send" | "stop">;
  /** The mount that a path leads to, if that is one which may hang. The path is not touched there. */
  readonly mountOf: (path: string) => MountPoint;
  /** Before anything is observed: puts right what a crash left of runs' files. Returns the files that are changes again. */
  readonly recover: (isConcerned: (watcherId: string | null) => boolean) => Returned;
  readonly onHealth: (watcher: WatcherRow, observation: WatcherObservation) => void;
}

export type ObserverListener = Pick<ObserversParts, "onMessage" | "onLost" | "onReturned">;

interface Work {
  readonly observation: number;
  mount: MountPoint;
  code: HealthCode;
  since: Instant;
  isSettling: boolean;
  /** What settled files wait for: the end of a run of the task, or the task itself, which cannot start. */
  waitsFor: "room" | "task" | null;
  /** The run that files are being written for. */
  preparing: string | null;
}

const retryMs = 1_000;
const unansweredMs = 60_000;

export type Watching = ReturnType<typeof createWatching>;

/** Keeps the observer informed of the watchers, and turns the files that it finds settled into runs. */
export function createWatching(parts: WatchingParts) {
  const { clock, log, store, requests } = parts;
  const works = new Map<string, Work>();
  const lost = new Set<MountPoint>();
  const observers = parts.openObservers({ onMessage, onLost, onReturned });
  let isStarted = false;
  let isStopped = false;

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
    onRunEnded: ({ runId, taskId, from, end }: RunEnded): void => {
      // a row that was written as skipped had no files, and makes no room
      if (from === null) return;
      if (end.sourceWatcherId !== null) endRun(end.sourceWatcherId, runId, { wasStarted: end.startedAt !== null });
      for (const [watcherId, work] of works) {
        // its own run may have been one of a former target
        const hasRoom = end.sourceWatcherId === watcherId || store.find(watcherId)?.targetTaskId === taskId;
        if (work.waitsFor === "room" && hasRoom) offerAgain(watcherId, work);
      }
    },
  };

  function start(): void {
    isStarted = true;
    const returned = parts.recover(() => true);
    for (const watcher of store.listAll())
      if (watcher.enabled) observe(watcher, { isStart: true, returned: returned.get(watcher.id) });
  }

  async function stop(): Promise<void> {
    isStopped = true;
    await observers.stop();
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

  function observe(
    watcher: WatcherRow,
    how: { readonly isStart: boolean; readonly returned?: ReturnedNames | undefined },
  ): void {
    const mount = parts.mountOf(watcher.path);
    const former = works.get(watcher.id);
    if (former !== undefined && former.mount !== mount)
      sendTo(former.mount, { is: "leave", watcherId: watcher.id, isForgotten: false });
    works.set(watcher.id, {
      observation: watcher.observation,
      mount,
      code: "starting",
      since: clock.now(),
      isSettling: false,
      waitsFor: null,
      preparing: null,
    });
    const { isStart, returned = new Map() } = how;
    sendTo(mount, { is: "observe", watcherId: watcher.id, watcher: orderOf(watcher), isStart, returned });
  }

  function endRun(watcherId: string, runId: string, how: { readonly wasStarted: boolean }): void {
    // the next start finds the files of its run
    if (!isStarted || isStopped) return;
    if (works.has(watcherId)) send({ is: "ended", watcherId, runId, ...how });
    else requests.removeFiles(runId);
  }

  function leave(watcherId: string): void {
    const work = works.get(watcherId);
    if (!works.delete(watcherId) || work === undefined) return;
    sendTo(work.mount, { is: "leave", watcherId, isForgotten: true });
  }

  function send(message: ToObserver): void {
    const work = works.get(message.watcherId);
    if (work !== undefined) sendTo(work.mount, message);
  }

  function sendTo(mount: MountPoint, message: ToObserver): void {
    if (isStarted && !isStopped && !lost.has(mount)) observers.send(mount, message);
  }

  /** A thread or process that ended begins again, and looks at everything. One that does not answer is left alone for longer. */
  function onLost(mount: MountPoint, why: "ended" | "no_answer", failure: string): void {
    log.error("watchers.observer_failed", { observer: mount === null ? "thread" : "process of a mount", failure });
    for (const [watcherId, work] of works)
      if (work.mount === mount) setHealth(watcherId, work, why === "ended" ? "failed" : "no_answer");
    if (why === "no_answer" && mount === null) return;
    lost.add(mount);
    clock.after(why === "ended" ? retryMs : unansweredMs, () => {
      lost.delete(mount);
      if (!isStopped) observeAll(mount);
    });
  }

  function onReturned(mount: MountPoint): void {
    for (const [watcherId, work] of works) if (work.mount === mount) send({ is: "rescan", watcherId });
  }

  function observeAll(mount: MountPoint): void {
    const watcherIds = [...works].filter(([, work]) => work.mount === mount).map(([id]) => id);
    const returned = parts.recover((watcherId) => watcherId !== null && watcherIds.includes(watcherId));
    for (const watcherId of watcherIds) {
      const watcher = store.find(watcherId);
      if (watcher?.enabled === true) observe(watcher, { isStart: false, returned: returned.get(watcherId) });
    }
  }

  function onMessage(message: FromObserver, mount: MountPoint): void {
    if (isStopped || message.is === "alive") return;
    if (message.is === "failure")
      return log.error("watchers.failed", { watcher_id: message.watcherId, failure: message.failure });
    const { watcherId } = message;
    const work = works.get(watcherId);
    if (work === undefined || work.mount !== mount) {
      if (message.is === "prepared") sendTo(mount, { is: "refused", watcherId, runId: message.runId });
      return;
    }
    switch (message.is) {
      case "health":
        setHealth(watcherId, work, message.code);
        return message.code === "elsewhere" ? moveElsewhere(watcherId) : undefined;
      case "settling":
        work.isSettling = message.isSettling;
        return;
      case "settled":
        return consider(watcherId, { isSettled: true });
      case "prepared":
        // of a former observation
        if (work.preparing !== message.runId) return send({ is: "refused", watcherId, runId: message.runId });
        return request(watcherId, work, message.runId);
      case "unprepared":
        if (work.preparing !== message.runId) return;
        work.preparing = null;
        if (message.failure === null) return work.waitsFor === null ? undefined : offerAgain(watcherId, work);
        log.error("watchers.files_not_written", { watcher_id: watcherId, failure: message.failure });
        return waitAndRetry(watcherId, work);
    }
  }

  /** The path leads to a mount that may hang now: the process for that mount goes on with it. */
  function moveElsewhere(watcherId: string): void {
    const watcher = store.find(watcherId);
    if (watcher !== undefined && watcher.enabled && parts.mountOf(watcher.path) !== works.get(watcherId)?.mount)
      observe(watcher, { isStart: false });
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
    work.preparing = null;
    let isRequested = false;
    try {
      isRequested = requests.request(watcherId, { runId, observation: work.observation });
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
      if (works.get(watcherId) === work && work.waitsFor !== null && work.preparing === null)
        offerAgain(watcherId, work);
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
      parts.onHealth(watcher, {
        health: { ...healthOf[code], since: work.since },
        isSettling: work.isSettling,
        waitsForRun: work.waitsFor !== null,
      });
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
