import type { Clock } from "../../kernel/time/clock.ts";
import type { Claim, Mark } from "../claims/claim.ts";
import { readBootId } from "./processes.ts";
import type { Scanner } from "./scanner.ts";
import { Stop } from "./stop-process-tree.ts";

export interface LeftoverOptions {
  readonly clock: Clock;
  /** The scanner of all stops at the same time, which share its scans. */
  readonly scanner: Scanner;
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
export function stopLeftovers(claim: Leftovers, { clock, scanner }: LeftoverOptions): LeftoverStop {
  if (claim.runner.bootId !== readBootId())
    return { ended: Promise.resolve({ remaining: [] }), shortenGrace: () => {} };
  const since = claim.process?.startTime ?? claim.runner.startTime;
  const { process: main, mark, cgroup, exit } = claim;
  const target = { main, mark, cgroup, since, hasExited: exit !== null, exitTicks: exit?.exitTicks ?? null };
  const stop = new Stop(target, { graceMs: claim.graceMs, clock, scanner });
  return {
    ended: stop.run().then((remaining) => ({ remaining })),
    shortenGrace: (graceMs) => stop.shortenGrace(graceMs),
  };
}
