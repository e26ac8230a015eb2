import type { Clock } from "../../../kernel/time/clock.ts";
import type { Instant } from "../../../kernel/time/time.ts";
import { isAlive, type RunnerIdentity } from "../../../runner/identity.ts";

export type PendingStarts = ReturnType<typeof createPendingStarts>;

/** An attempt whose order several runners left unanswered, and when it is sent again. */
export interface PausedStart {
  readonly attempt: string;
  /** How many orders in a row nobody has answered. */
  readonly unanswered: number;
  readonly until: Instant;
}

interface Receiver {
  readonly runner: RunnerIdentity;
  /** How many orders it has not answered yet: it may carry out each one. */
  readonly orders: number;
}

interface Sent {
  /** Whether this daemon has sent every order to start the attempt. */
  readonly isOurs: boolean;
  readonly unansweredBy: Map<string, Receiver>;
  /** How many orders in a row no runner has answered, and when the last one was sent. */
  unanswered: number;
  sentAtMs: number;
}

/** The pauses after an order that two, three or more runners left unanswered: it may be what makes them hang or die. */
const repeatPausesMs = [60_000, 300_000, 900_000] as const;

/**
 * Remembers which runners may still carry out an order to start an attempt: a runner that hangs reads the order when it
 * resumes. Until it has answered, has listed its attempts or has died, the claim on the attempt must stay.
 */
export function createPendingStarts(clock: Pick<Clock, "monotonicMs" | "now">) {
  const byAttempt = new Map<string, Sent>();
  /** Live runners of former daemons that have not listed yet. Which orders were sent to them is unknown. */
  const unlisted = new Map<string, { readonly runner: RunnerIdentity }>();

  return {
    noteSent: (attempt: string, runner: RunnerIdentity, { isNew }: { readonly isNew: boolean }): void => {
      const sent: Sent = byAttempt.get(attempt) ?? {
        isOurs: isNew,
        unansweredBy: new Map(),
        unanswered: 0,
        sentAtMs: 0,
      };
      sent.unansweredBy.set(runner.id, { runner, orders: (sent.unansweredBy.get(runner.id)?.orders ?? 0) + 1 });
      sent.unanswered++;
      sent.sentAtMs = clock.monotonicMs();
      byAttempt.set(attempt, sent);
    },
    /** A refusal answers one order, even if another was sent meanwhile; an attempt that was started answers all. */
    noteAnswered: (attempt: string, runnerId: string, isStarted: boolean): void => {
      const sent = byAttempt.get(attempt);
      if (sent === undefined) return;
      sent.unanswered = 0;
      const receiver = sent.unansweredBy.get(runnerId);
      if (receiver === undefined) return;
      if (isStarted || receiver.orders === 1) sent.unansweredBy.delete(runnerId);
      else sent.unansweredBy.set(runnerId, { ...receiver, orders: receiver.orders - 1 });
    },
    /** Returns the pause before the order may be sent again; null if it may be sent now. */
    findPause,
    listPaused: (): readonly PausedStart[] => [...byAttempt.keys()].map(findPause).filter((paused) => paused !== null),
    noteFormer: (runner: RunnerIdentity): void => void unlisted.set(runner.id, { runner }),
    /** A runner that gets no further orders has listed its attempts. */
    noteListed: (runnerId: string): void => {
      unlisted.delete(runnerId);
      for (const { unansweredBy } of byAttempt.values()) unansweredBy.delete(runnerId);
    },
    /** Whether a live runner may still start this attempt, unless it is claimed. */
    mayStart: (attempt: string): boolean => {
      const sent = byAttempt.get(attempt);
      if (sent !== undefined && hasLive(sent.unansweredBy)) return true;
      return sent?.isOurs !== true && hasLive(unlisted);
    },
    /** The claim on the attempt is removed. */
    drop: (attempt: string): void => void byAttempt.delete(attempt),
  };

  function findPause(attempt: string): PausedStart | null {
    const sent = byAttempt.get(attempt);
    if (sent === undefined || sent.unanswered < 2) return null;
    const pauseMs = repeatPausesMs[Math.min(sent.unanswered - 2, repeatPausesMs.length - 1)]!;
    const leftMs = sent.sentAtMs + pauseMs - clock.monotonicMs();
    return leftMs <= 0 ? null : { attempt, unanswered: sent.unanswered, until: clock.now() + Math.ceil(leftMs) };
  }
}

function hasLive(runners: Map<string, { readonly runner: RunnerIdentity }>): boolean {
  for (const [id, { runner }] of runners) {
    if (isAlive(runner)) return true;
    runners.delete(id);
  }
  return false;
}
