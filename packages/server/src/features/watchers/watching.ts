import type { Log } from "../../kernel/log/log.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import type { RunEnded } from "../runs/index.ts";
import { healthOf } from "./health.ts";
import type { Loss, MountPoint, Observers, ObserversParts } from "./observers.ts";
import type { FromObserver, HealthCode, ToObserver } from "./observing/messages.ts";
import type { WatcherObservation } from "./observation.ts";
import type { RunRequests } from "./run-requests.ts";
import { createSettledFiles, type Work } from "./settled-files.ts";
import type { WatcherStore } from "./store.ts";
import type { WatcherRow } from "./table.ts";
import { orderOf } from "./watch-order.ts";

export interface WatchingParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: Pick<WatcherStore, "find" | "listAll">;
  readonly requests: RunRequests;
  readonly openObservers: (listener: ObserverListener) => Pick<Observers, "send" | "stop">;
  /** The mount that a path leads to, if that is one which may hang. The path is not touched there. */
  readonly mountOf: (path: string) => MountPoint;
  /** Before anything is observed: puts right what a crash left of runs' files. */
  readonly recover: (isConcerned: (watcherId: string | null) => boolean) => void;
  readonly onHealth: (watcher: WatcherRow, observation: WatcherObservation) => void;
}

export type ObserverListener = Pick<ObserversParts, "onMessage" | "onLost" | "onReturned">;

/** Before an observer that ended is started again, and before one that did not answer is. */
const endedMs = 1_000;
const unansweredMs = 60_000;

export type Watching = ReturnType<typeof createWatching>;

/** Keeps the observer informed of the watchers, and turns the files that it finds settled into runs. */
export function createWatching(parts: WatchingParts) {
  const { clock, log, store, requests } = parts;
  const works = new Map<string, Work>();
  const lost = new Map<MountPoint, Loss["why"]>();
  const { consider, request, giveBack, offerAgain } = createSettledFiles({ ...parts, works, send });
  const observers = parts.openObservers({ onMessage, onLost, onReturned });
  let isStarted = false;
  let isStopped = false;

  return {
    observationOf: (watcher: WatcherRow): WatcherObservation => {
      const work = works.get(watcher.id);
      const isCurrent = work !== undefined && work.observation === watcher.observation && watcher.enabled;
      const code = !watcher.enabled ? "disabled" : isCurrent ? work.code : "starting";
      return {
        health: { ...healthOf[code], since: isCurrent ? work.since : watcher.observedFrom },
        isSettling: isCurrent && work.isSettling,
        waitsFor: isCurrent ? work.waitsFor : null,
      };
    },
    loop: { start, stop },
    onCreated: ({ watcherId }: { readonly watcherId: string }): void => update(watcherId),
    onUpdated: ({ watcherId }: { readonly watcherId: string }): void => update(watcherId),
    onDeleted: ({ watcherId }: { readonly watcherId: string }): void => leave(watcherId),
    /** What kept a task from starting may be gone, or its limit of runs may be higher. */
    onReadinessChanged: (): void => {
      for (const [watcherId, work] of works) {
        const mayStart = work.waitsFor === "slot" || (work.waitsFor === "task" && requests.canStart(watcherId));
        if (mayStart) offerAgain(watcherId, work);
      }
    },
    /** A run that waited for its start may be what the files waited for: they may replace it now. */
    onRunDispatched: ({ taskId }: { readonly taskId: string }): void => {
      for (const [watcherId, work] of works)
        if (work.waitsFor === "slot" && requests.mayReplaceStarted(watcherId, taskId)) offerAgain(watcherId, work);
    },
    onRunEnded: ({ runId, taskId, from, end }: RunEnded): void => {
      // a row that was written as skipped had no files, and frees no slot
      if (from === null) return;
      if (end.sourceWatcherId !== null) endRun(end.sourceWatcherId, runId, { wasStarted: end.startedAt !== null });
      for (const [watcherId, work] of works) {
        // its own run may have been one of a former target
        if (work.waitsFor !== "slot") continue;
        if (end.sourceWatcherId === watcherId || requests.sharesLimit(watcherId, taskId)) offerAgain(watcherId, work);
      }
    },
  };

  function start(): void {
    isStarted = true;
    parts.recover(() => true);
    const startedAt = clock.now();
    for (const watcher of store.listAll()) if (watcher.enabled) observe(watcher, startedAt);
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
    observe(watcher);
  }

  function observe(watcher: WatcherRow, startedAt: number | null = null): void {
    const { id: watcherId } = watcher;
    const mount = parts.mountOf(watcher.path);
    const former = works.get(watcherId);
    const isMoved = former !== undefined && former.mount !== mount && !lost.has(former.mount);
    const awaits = former?.awaits ?? (isMoved ? { mount: former.mount } : null);
    const work: Work = {
      observation: watcher.observation,
      mount,
      awaits,
      code: "starting",
      since: clock.now(),
      isSettling: false,
      waitsFor: null,
      retry: null,
      preparing: null,
      replacing: null,
    };
    works.set(watcherId, work);
    // it may be long until its mount is observed again
    if (lost.get(mount) === "no_answer") setHealth(watcherId, work, "no_answer");
    if (awaits === null) send({ is: "observe", watcherId, watcher: orderOf(watcher), startedAt });
    else if (isMoved) sendTo(awaits.mount, { is: "leave", watcherId, isForgotten: false });
  }

  /** The former observer has left the watcher: the next one goes on from what is on disk. */
  function onLeft(watcherId: string, mount: MountPoint): void {
    const work = works.get(watcherId);
    if (work?.awaits?.mount !== mount) return;
    work.awaits = null;
    parts.recover((id) => id === watcherId);
    const watcher = store.find(watcherId);
    if (watcher?.enabled === true) observe(watcher);
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
    if (work?.awaits === null) sendTo(work.mount, message);
  }

  function sendTo(mount: MountPoint, message: ToObserver): void {
    if (isStarted && !isStopped && !lost.has(mount)) observers.send(mount, message);
  }

  /**
   * A thread or process that ended begins again, and looks at everything. One that does not answer is left alone for longer,
   * and until it is gone: no signal ends a process that waits for its mount, and a second one would wait as well.
   */
  function onLost(mount: MountPoint, { why, failure, gone }: Loss): void {
    log.error("watchers.observer_failed", { observer: mount === null ? "thread" : "process of a mount", failure });
    for (const [watcherId, work] of works)
      if (work.mount === mount) setHealth(watcherId, work, why === "ended" ? "failed" : "no_answer");
    if (why === "no_answer" && mount === null) return;
    lost.set(mount, why);
    for (const watcherId of works.keys()) onLeft(watcherId, mount);
    clock.after(why === "ended" ? endedMs : unansweredMs, () => void gone.then(() => beginAgain(mount)));
  }

  function beginAgain(mount: MountPoint): void {
    lost.delete(mount);
    if (!isStopped) observeAll(mount);
  }

  function onReturned(mount: MountPoint): void {
    for (const [watcherId, work] of works) if (work.mount === mount) send({ is: "rescan", watcherId });
  }

  function observeAll(mount: MountPoint): void {
    const watcherIds = [...works].filter(([, work]) => work.mount === mount).map(([id]) => id);
    parts.recover((watcherId) => watcherId !== null && watcherIds.includes(watcherId));
    for (const watcherId of watcherIds) {
      const watcher = store.find(watcherId);
      if (watcher?.enabled === true) observe(watcher);
    }
  }

  function onMessage(message: FromObserver, mount: MountPoint): void {
    if (isStopped || message.is === "alive") return;
    if (message.is === "failure")
      return log.error("watchers.failed", { watcher_id: message.watcherId, failure: message.failure });
    const { watcherId } = message;
    if (message.is === "left") return onLeft(watcherId, mount);
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
        return work.preparing === message.runId ? giveBack(watcherId, work, message.failure) : undefined;
    }
  }

  /** The path leads to a mount that may hang now: the process for that mount goes on with it. */
  function moveElsewhere(watcherId: string): void {
    const watcher = store.find(watcherId);
    if (watcher !== undefined && watcher.enabled && parts.mountOf(watcher.path) !== works.get(watcherId)?.mount)
      observe(watcher);
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
        waitsFor: work.waitsFor,
      });
  }
}
