import type { Clock } from "../../kernel/time/clock.ts";
import type { Claim, Mark } from "../claims/claim.ts";
import { leaveAttemptCgroup } from "./own-cgroup.ts";
import { readAgeMs, readBootId } from "./processes.ts";
import { Scanner } from "./scanner.ts";
import { Stop } from "./stop-process-tree.ts";

export { leaveAttemptCgroup, readAgeMs };

export interface LeftoverOptions {
  readonly clock: Clock;
  /** The scanner of all stops at the same time, which share its scans. */
  readonly scanner?: Scanner;
}

/** What is known about an attempt whose runner is gone. */
export interface Leftovers extends Pick<Claim, "cgroup" | "process" | "mark" | "graceMs" | "exit"> {
  /** No process of the attempt is older. */
  readonly runner: Pick<Claim["runner"], "bootId" | "startTime">;
}

/**
 * Makes the leftovers of an attempt of this boot whose claim is gone: only the inherited mark identifies its processes.
 */
export function leftoversOf(mark: Mark, graceMs: number): Leftovers {
  return { cgroup: null, process: null, mark, graceMs, exit: null, runner: { bootId: readBootId(), startTime: 0 } };
}

export interface LeftoverStop {
  /** Resolves with the processes that did not end. */
  readonly ended: Promise<{ readonly remaining: readonly number[] }>;
  /** Shortens the grace; never makes it longer. */
  readonly shortenGrace: (graceMs: number) => void;
}

/** Ends the processes that a dead runner left of an attempt: TERM, then KILL after the task's grace, as for a cancel. */
export function stopLeftovers(claim: Leftovers, options: LeftoverOptions): LeftoverStop {
  if (claim.runner.bootId !== readBootId())
    return { ended: Promise.resolve({ remaining: [] }), shortenGrace: () => {} };
  const { clock, scanner = new Scanner(clock) } = options;
  const since = claim.process?.startTime ?? claim.runner.startTime;
  const { process: main, mark, cgroup, exit } = claim;
  const target = { main, mark, cgroup, since, hasExited: exit !== null, exitTicks: exit?.exitTicks ?? null };
  const stop = new Stop(target, { graceMs: claim.graceMs, clock, scanner });
  return {
    ended: stop.run().then((remaining) => ({ remaining })),
    shortenGrace: (graceMs) => stop.shortenGrace(graceMs),
  };
}

export function endLeftovers(claim: Leftovers, options: LeftoverOptions): LeftoverStop["ended"] {
  return stopLeftovers(claim, options).ended;
}

/**
 * Describes for people the processes that did not end, or that may remain; null if there are none. Without a cgroup, nothing
 * proves that none is left.
 */
export function describeRemaining(remaining: readonly number[], { isProved } = { isProved: true }): string | null {
  const named = remaining.length === 0 ? [] : [`these processes did not end: ${remaining.join(", ")}`];
  const unproved = isProved ? [] : [unprovedText];
  return [...named, ...unproved].join("; ") || null;
}

const unprovedText =
  "the run had no cgroup, so a background process that left its session and cleared its environment may remain";
