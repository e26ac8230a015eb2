import type { Clock } from "../../kernel/time/clock.ts";
import { type Leftovers, type LeftoverStop, stopLeftovers } from "../../runner/processes/leftovers.ts";
import { Scanner } from "../../runner/processes/scanner.ts";
import { type AttemptSpec, startVersionOf } from "../../runner/protocol/messages.ts";
import type { Runners } from "./runners/runners.ts";

export interface OrdersParts {
  readonly clock: Clock;
  readonly runners: Pick<Runners, "own" | "ownerOf" | "assign" | "release" | "mayStart">;
  /** Removes the claim of a recorded attempt, unless its runner is alive. */
  readonly removeClaim: (attempt: string) => void;
}

export type Orders = ReturnType<typeof createOrders>;

/**
 * Sends the orders about attempts. Each may be repeated without harm. An order without a connected runner is dropped,
 * and repeated later.
 */
export function createOrders({ clock, runners, removeClaim }: OrdersParts) {
  const scanner = new Scanner(clock);
  /** Attempts of dead runners whose remaining processes are being ended here. */
  const stops = new Map<string, LeftoverStop>();
  /**
   * The shortest grace period that a cancel gave, by attempt. It is kept because the order may be lost with its runner:
   * whatever ends the attempt then uses it.
   */
  const graceMsByAttempt = new Map<string, number>();
  /** Recorded attempts whose claim must stay, because a runner that does not respond may still start them. */
  const withheld = new Set<string>();

  return {
    /** Returns false if the runner cannot read the order: the attempt waits for another runner. */
    start: (attempt: string, spec: AttemptSpec, how: { readonly isNew: boolean }): boolean => {
      const version = startVersionOf(spec);
      const own = runners.own();
      if (own !== null && !own.startVersions.includes(version)) return false;
      runners.assign(attempt, how);
      own?.send({ do: "start", version, attempt, spec });
      return true;
    },
    cancel: (attempt: string, askedMs: number): void => {
      const graceMs = Math.min(askedMs, graceMsByAttempt.get(attempt) ?? askedMs);
      graceMsByAttempt.set(attempt, graceMs);
      const stop = stops.get(attempt);
      if (stop !== undefined) return stop.shortenGrace(graceMs);
      (runners.ownerOf(attempt) ?? runners.own())?.send({ do: "cancel", attempt, cause: "cancelled", graceMs });
    },
    forget,
    /** Orders what was withheld, as far as it is safe now. Returns whether something is still withheld. */
    forgetWithheld: (): boolean => {
      for (const attempt of withheld) forget(attempt);
      return withheld.size > 0;
    },
    /** Ends the processes that a dead runner left of an attempt. A cancel before or meanwhile can only shorten the grace. */
    endLeftovers: async (attempt: string, leftovers: Leftovers): LeftoverStop["ended"] => {
      const stop = stopLeftovers(leftovers, { clock, scanner });
      stops.set(attempt, stop);
      stop.shortenGrace(graceMsByAttempt.get(attempt) ?? leftovers.graceMs);
      return stop.ended.finally(() => stops.delete(attempt));
    },
  };

  /** Orders the owner to remove the claim, unless that claim keeps another runner from starting the attempt again. */
  function forget(attempt: string): void {
    graceMsByAttempt.delete(attempt);
    if (runners.mayStart(attempt)) return void withheld.add(attempt);
    withheld.delete(attempt);
    const owner = runners.ownerOf(attempt);
    if (owner === null) removeClaim(attempt);
    else owner.send({ do: "forget", attempt });
    runners.release(attempt);
  }
}
