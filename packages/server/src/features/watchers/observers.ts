import type { Clock, Timer } from "../../kernel/time/clock.ts";
import type { FromObserver, ObserverStart, ToObserver } from "./observing/messages.ts";

/** A thread or a process that observes files. */
export interface ObserverHost {
  readonly send: (message: ToObserver) => void;
  /** Resolves once it has ended. A process that waits for its mount ends when the mount answers, or never. */
  readonly stop: () => Promise<void>;
}

export interface HostParts {
  readonly start: ObserverStart;
  readonly onMessage: (message: FromObserver) => void;
  /** It ended by itself, with a short name of the reason. */
  readonly onEnd: (failure: string) => void;
}

export type OpenHost = (parts: HostParts) => ObserverHost;

/** Where a watcher is observed: by the thread (null), or by the process for this mount. */
export type MountPoint = string | null;

/** An observer has ended, or does not answer. */
export interface Loss {
  readonly why: "ended" | "no_answer";
  readonly failure: string;
  /** Resolves once nothing is left of it; a thread that does not answer is kept. */
  readonly gone: Promise<void>;
}

export interface ObserversParts {
  readonly clock: Clock;
  readonly start: Omit<ObserverStart, "mount">;
  readonly openThread: OpenHost;
  readonly openProcess: OpenHost;
  readonly onMessage: (message: FromObserver, mount: MountPoint) => void;
  /** Its watchers must be sent to it again after a pause. */
  readonly onLost: (mount: MountPoint, loss: Loss) => void;
  /** It does not answer, or answers again. */
  readonly onReturned: (mount: MountPoint) => void;
}

interface Open {
  readonly host: ObserverHost;
  heardAt: number;
  isSilent: boolean;
}

/** A read that takes longer is on a mount that does not answer. */
const silenceMsMax = 30_000;
const lookMs = 5_000;
const noAnswer = { why: "no_answer", failure: "no answer" } as const;

export type Observers = ReturnType<typeof createObservers>;

/** The thread for local files, and a process for each network or FUSE mount. Each is opened for its first watcher. */
export function createObservers(parts: ObserversParts) {
  const { clock } = parts;
  const open = new Map<MountPoint, Open>();
  let lookedAt = clock.monotonicMs();
  let timer: Timer | null = null;

  return {
    send: (mount: MountPoint, message: ToObserver): void => {
      (open.get(mount) ?? openOne(mount)).host.send(message);
    },
    stop: async (): Promise<void> => {
      timer?.cancel();
      // a process that waits for its mount may never end, so the daemon waits for none
      for (const [mount, { host }] of open) if (mount !== null) void host.stop();
      await open.get(null)?.host.stop();
      open.clear();
    },
  };

  function openOne(mount: MountPoint): Open {
    const opening = mount === null ? parts.openThread : parts.openProcess;
    const host = opening({
      start: { ...parts.start, mount },
      onMessage: (message) => {
        opened.heardAt = clock.monotonicMs();
        if (message.is !== "alive") parts.onMessage(message, mount);
      },
      onEnd: (failure) => {
        if (open.get(mount) !== opened) return;
        open.delete(mount);
        parts.onLost(mount, { why: "ended", failure, gone: host.stop() });
      },
    });
    const opened: Open = { host, heardAt: clock.monotonicMs(), isSilent: false };
    open.set(mount, opened);
    if (timer === null) watchForSilence();
    return opened;
  }

  function watchForSilence(): void {
    lookedAt = clock.monotonicMs();
    timer = clock.after(lookMs, () => {
      // after a stop of this process nobody has had the time to answer
      const wasStopped = clock.monotonicMs() - lookedAt > 2 * lookMs;
      for (const [mount, opened] of open) {
        if (wasStopped) opened.heardAt = clock.monotonicMs();
        const isSilent = clock.monotonicMs() - opened.heardAt > silenceMsMax;
        if (isSilent === opened.isSilent) continue;
        opened.isSilent = isSilent;
        if (!isSilent) parts.onReturned(mount);
        else if (mount === null) parts.onLost(mount, { ...noAnswer, gone: Promise.resolve() });
        else giveUp(mount, opened);
      }
      watchForSilence();
    });
  }

  /** A process that waits for its mount is replaced once it has ended; a thread cannot be. */
  function giveUp(mount: MountPoint, { host }: Open): void {
    open.delete(mount);
    parts.onLost(mount, { ...noAnswer, gone: host.stop() });
  }
}
