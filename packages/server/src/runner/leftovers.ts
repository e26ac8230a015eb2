import type { Clock } from "../kernel/clock.ts";
import type { Claim } from "./claim.ts";
import { readBootId } from "./processes.ts";
import { Scanner } from "./scanner.ts";
import { Stop } from "./stop.ts";

export interface LeftoverOptions {
  readonly clock: Clock;
  /** Shared by all who end something at the same time, so that they share its looks. */
  readonly scanner?: Scanner;
}

/**
 * Ends what a dead runner left of an attempt that has no end: TERM, then KILL after the task's grace, as for a cancel.
 * `remaining` names the processes that would not go.
 */
export async function endLeftovers(
  claim: Claim,
  options: LeftoverOptions,
): Promise<{ readonly remaining: readonly number[] }> {
  if (claim.runner.bootId !== readBootId()) return { remaining: [] };
  const { clock, scanner = new Scanner(clock) } = options;
  const since = claim.process?.startTime ?? claim.runner.startTime;
  const stop = new Stop({ main: claim.process, mark: claim.mark, since }, { graceMs: claim.graceMs, clock, scanner });
  return { remaining: await stop.run() };
}
