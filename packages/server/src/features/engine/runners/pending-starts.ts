import { isAlive, type RunnerIdentity } from "../../../runner/identity.ts";

export type PendingStarts = ReturnType<typeof createPendingStarts>;

interface Sent {
  /** Whether this daemon has sent every order to start the attempt. */
  readonly isOurs: boolean;
  readonly unansweredBy: Map<string, RunnerIdentity>;
}

/**
 * Remembers which runners may still carry out an order to start an attempt: a runner that hangs reads the order when it
 * resumes. Until it has answered, has listed its attempts or has died, the claim on the attempt must stay.
 */
export function createPendingStarts() {
  const byAttempt = new Map<string, Sent>();
  /** Live runners of former daemons that have not listed yet. Which orders were sent to them is unknown. */
  const unlisted = new Map<string, RunnerIdentity>();

  return {
    noteSent: (attempt: string, runner: RunnerIdentity, { isNew }: { readonly isNew: boolean }): void => {
      const sent = byAttempt.get(attempt) ?? { isOurs: isNew, unansweredBy: new Map() };
      sent.unansweredBy.set(runner.id, runner);
      byAttempt.set(attempt, sent);
    },
    noteAnswered: (attempt: string, runnerId: string): void => {
      byAttempt.get(attempt)?.unansweredBy.delete(runnerId);
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
