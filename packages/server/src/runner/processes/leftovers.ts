import type { Clock } from "../../kernel/time/clock.ts";
import type { Claim, Mark } from "../claims/claim.ts";
import { readBootId } from "./processes.ts";
import { Scanner } from "./scanner.ts";
import { Stop } from "./stop-process-tree.ts";

export interface LeftoverOptions {
  readonly clock: Clock;
  /** Shared by all who end something at the same time, so that they share its looks. */
  readonly scanner?: Scanner;
}

/** What is known of an attempt whose runner is gone. */
export interface Leftovers extends Pick<Claim, "process" | "mark" | "graceMs"> {
  /** No process of the attempt is older. */
  readonly runner: Pick<Claim["runner"], "bootId" | "startTime">;
}

/** Of an attempt of this boot whose claim is gone: its processes are known by what they inherited alone. */
export function leftoversOf(mark: Mark, graceMs: number): Leftovers {
  return { process: null, mark, graceMs, runner: { bootId: readBootId(), startTime: 0 } };
}

export interface LeftoverStop {
  /** Resolves with the processes that would not go. */
  readonly ended: Promise<{ readonly remaining: readonly number[] }>;
  /** Shortens the grace; never makes it longer. */
  readonly hasten: (graceMs: number) => void;
}

/** Ends what a dead runner left of an attempt that has no end: TERM, then KILL after the task's grace, as for a cancel. */
export function stopLeftovers(claim: Leftovers, options: LeftoverOptions): LeftoverStop {
  if (claim.runner.bootId !== readBootId()) return { ended: Promise.resolve({ remaining: [] }), hasten: () => {} };
  const { clock, scanner = new Scanner(clock) } = options;
  const since = claim.process?.startTime ?? claim.runner.startTime;
  const stop = new Stop({ main: claim.process, mark: claim.mark, since }, { graceMs: claim.graceMs, clock, scanner });
  return { ended: stop.run().then((remaining) => ({ remaining })), hasten: (graceMs) => stop.hasten(graceMs) };
}

export function endLeftovers(claim: Leftovers, options: LeftoverOptions): LeftoverStop["ended"] {
  return stopLeftovers(claim, options).ended;
}
