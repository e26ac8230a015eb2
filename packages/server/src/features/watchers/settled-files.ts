import { describeError } from "../../kernel/errors/errors.ts";
import type { Log } from "../../kernel/log/log.ts";
import type { Clock, Timer } from "../../kernel/time/clock.ts";
import type { Instant } from "../../kernel/time/time.ts";
import type { WaitsFor } from "./observation.ts";
import type { MountPoint } from "./observers.ts";
import type { HealthCode, ToObserver } from "./observing/messages.ts";
import type { RunRequests } from "./run-requests.ts";

/** What the daemon knows of a watcher that is observed. */
export interface Work {
  readonly observation: number;
  mount: MountPoint;
  /** The observer that must have left the watcher before this one begins. */
  awaits: { readonly mount: MountPoint } | null;
  code: HealthCode;
  since: Instant;
  isSettling: boolean;
  waitsFor: WaitsFor | null;
  /** Ends the wait for another try. */
  retry: Timer | null;
  /** The run that files are being written for. */
  preparing: string | null;
  /** The run of the watcher that it replaces. */
  replacing: string | null;
}

export interface SettledFilesParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly requests: RunRequests;
  readonly works: ReadonlyMap<string, Work>;
  readonly send: (message: ToObserver) => void;
}

const retryMs = 1_000;

/** Turns settled files into runs: they are offered, prepared on disk, and then requested or given back. */
export function createSettledFiles({ clock, log, requests, works, send }: SettledFilesParts) {
  return { consider, request, giveBack, offerAgain };

  /** Decides what becomes of settled files. */
  function consider(watcherId: string, { isSettled = false } = {}): void {
    const work = works.get(watcherId);
    if (work === undefined || work.preparing !== null) {
      // what is being prepared may leave some of them over
      if (work !== undefined && isSettled) work.waitsFor = "slot";
      return;
    }
    if (!isSettled && work.waitsFor === null) return;
    try {
      const verdict = requests.decide(watcherId);
      work.waitsFor = verdict.is === "wait" ? verdict.for : null;
      if (verdict.is !== "prepare") return;
      const { runId, joins, replacedId = null } = verdict;
      work.preparing = runId;
      work.replacing = replacedId;
      send({ is: "prepare", watcherId, runId, joins, replacedId });
    } catch (error) {
      log.error("watchers.request_failed", { watcher_id: watcherId, error: describeError(error) });
      waitAndRetry(watcherId, work);
    }
  }

  /** The files are on disk: requests their run. */
  function request(watcherId: string, work: Work, runId: string): void {
    work.preparing = null;
    let isRequested = false;
    try {
      isRequested = requests.request(watcherId, { runId, observation: work.observation, replacedId: work.replacing });
    } catch (error) {
      log.error("watchers.request_failed", { watcher_id: watcherId, error: describeError(error) });
      send({ is: "refused", watcherId, runId });
      return waitAndRetry(watcherId, work);
    }
    send({ is: isRequested ? "handed" : "refused", watcherId, runId });
    if (work.waitsFor !== null || !isRequested) offerAgain(watcherId, work);
  }

  /** The files could not be written, or none were left. */
  function giveBack(watcherId: string, work: Work, failure: string | null): void {
    work.preparing = null;
    if (failure !== null) {
      log.error("watchers.files_not_written", { watcher_id: watcherId, failure });
      waitAndRetry(watcherId, work);
    } else if (work.waitsFor !== null) offerAgain(watcherId, work);
  }

  function waitAndRetry(watcherId: string, work: Work): void {
    work.waitsFor = "retry";
    // files that settle meanwhile are tried at once, and their failure begins the pause again
    work.retry?.cancel();
    work.retry = clock.after(retryMs, () => {
      if (works.get(watcherId) === work && work.waitsFor !== null && work.preparing === null)
        offerAgain(watcherId, work);
    });
  }

  /** The observer offers what is settled, once nothing is still changing. */
  function offerAgain(watcherId: string, work: Work): void {
    work.waitsFor = null;
    send({ is: "free", watcherId });
  }
}
