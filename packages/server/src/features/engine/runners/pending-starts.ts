import type { Clock } from "../../../kernel/time/clock.ts";
import { isAlive, type RunnerIdentity } from "../../../runner/identity.ts";

export type PendingStarts = ReturnType<typeof createPendingStarts>;

interface Sent {
  /** Whether this daemon has sent every order to start the attempt. */
  readonly isOurs: boolean;
  readonly unansweredBy: Map<string, RunnerIdentity>;
  /** How many orders each of these runners has not refused yet: it may carry out each one. */
  readonly open: Map<string, number>;
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
export function createPendingStarts(clock: Pick<Clock, "monotonicMs">) {
  const byAttempt = new Map<string, Sent>();
  /** Live runners of former daemons that have not listed yet. Which orders were sent to them is unknown. */
  const unlisted = new Map<string, RunnerIdentity>();

  return {
    noteSent: (attempt: string, runner: RunnerIdentity, { isNew }: { readonly isNew: boolean }): void => {
      const sent: Sent = byAttempt.get(attempt) ?? {
        isOurs: isNew,
        unansweredBy: new Map(),
        open: new Map(),
        unanswered: 0,
        sentAtMs: 0,
      };
      sent.unansweredBy.set(runner.id, runner);
      sent.open.set(runner.id, (sent.open.get(runner.id) ?? 0) + 1);
      sent.unanswered++;
      sent.sentAtMs = clock.monotonicMs();
      byAttempt.set(attempt, sent);
    },
    /** A refusal answers one order, even if another was sent meanwhile; an attempt that was started answers all. */
    noteAnswered: (attempt: string, runnerId: string, isStarted: boolean): void => {
      const sent = byAttempt.get(attempt);
      if (sent === undefined) return;
      sent.unanswered = 0;
      const open = isStarted ? 0 : (sent.open.get(runnerId) ?? 1) - 1;
      sent.open.set(runnerId, open);
      if (open <= 0) sent.unansweredBy.delete(runnerId);
    },
    /** Whether the order may be sent again now. */
    mayRepeat: (attempt: string): boolean => {
      const sent = byAttempt.get(attempt);
      if (sent === undefined || sent.unanswered < 2) return true;
      const pauseMs = repeatPausesMs[Math.min(sent.unanswered - 2, repeatPausesMs.length - 1)]!;
      return clock.monotonicMs() - sent.sentAtMs >= pauseMs;
    },
    noteFormer: (runner: RunnerIdentity): void => void unlisted.set(runner.id, runner),
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
}

function hasLive(runners: Map<string, RunnerIdentity>): boolean {
  for (const [id, runner] of runners) {
    if (isAlive(runner)) return true;
    runners.delete(id);
  }
  return false;
}
