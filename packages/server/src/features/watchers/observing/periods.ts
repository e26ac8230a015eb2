import type { Clock } from "../../../kernel/time/clock.ts";

export interface PeriodsParts {
  readonly clock: Clock;
  readonly overflowAt: number;
}

/** The loop wakes at least this often: a longer silence means that the process was stopped or the machine slept. */
const tickMs = 1_000;
const stalledMs = 3_000;
const checkMs = 10_000;
const pollMsMin = 5_000;
const sweepMsMin = 60_000;
/** A poll takes at most a twentieth of the time, a sweep a three hundredth. */
const pollShare = 20;
const sweepShare = 300;
const overflowPauseMs = 1_000;

export type Periods = ReturnType<typeof createPeriods>;

/** When everything must be looked at again, because notifications may be missing. */
export function createPeriods({ clock, overflowAt }: PeriodsParts) {
  const now = clock.monotonicMs;
  const drift = (): number => clock.now() - now();
  let notifications = 0;
  let isOverflowed = false;
  let overflowHandledAt = -Infinity;
  let lastRoundAt = now();
  let lastDrift = drift();
  let signAt = now();
  let checkAt = now() + checkMs;
  let pollAt = now() + pollMsMin;
  let sweepAt = now() + sweepMsMin;
  /** The time that the work has taken since the last poll, and since the last sweep. */
  let polledMs = 0;
  let formerPollMs = Infinity;
  let sweptMs = 0;
  /** The first looks at everything are as good as a poll and a sweep. */
  let isPolling = true;
  let isSweeping = true;

  return {
    countNotification: (): void => void notifications++,
    /** After an overflow, a stop of the process, or a sleep of the machine. */
    isEverythingDue: (): boolean => {
      if (notifications >= overflowAt) isOverflowed = true;
      notifications = 0;
      const isStalled = now() - lastRoundAt > stalledMs || Math.abs(drift() - lastDrift) > stalledMs;
      lastDrift = drift();
      if (isStalled) return true;
      if (!isOverflowed || now() - overflowHandledAt < overflowPauseMs) return false;
      isOverflowed = false;
      overflowHandledAt = now();
      return true;
    },
    isSignDue: (): boolean => {
      if (now() < signAt) return false;
      signAt = now() + tickMs;
      return true;
    },
    isCheckDue: (): boolean => {
      if (now() < checkAt) return false;
      checkAt = now() + checkMs;
      return true;
    },
    isPollDue: (): boolean => {
      if (isPolling || now() < pollAt) return false;
      isPolling = true;
      polledMs = 0;
      return true;
    },
    isSweepDue: (): boolean => {
      if (isSweeping || now() < sweepAt) return false;
      isSweeping = true;
      sweptMs = 0;
      return true;
    },
    endRound: ({ begunAt, isIdle }: { readonly begunAt: number; readonly isIdle: boolean }): void => {
      const tookMs = now() - begunAt;
      lastRoundAt = now();
      polledMs += tookMs;
      sweptMs += tookMs;
      if (!isIdle) return;
      if (isPolling) {
        // one that took long counts only if the next one does too: a server may not have answered for a moment
        pollAt = now() + Math.max(pollMsMin, pollShare * Math.min(polledMs, formerPollMs));
        formerPollMs = polledMs;
      }
      if (isSweeping) sweepAt = now() + Math.max(sweepMsMin, sweepShare * sweptMs);
      isPolling = false;
      isSweeping = false;
    },
    nextAt: (): number =>
      Math.min(
        lastRoundAt + tickMs,
        checkAt,
        isPolling ? Infinity : pollAt,
        isSweeping ? Infinity : sweepAt,
        isOverflowed ? overflowHandledAt + overflowPauseMs : Infinity,
      ),
  };
}
