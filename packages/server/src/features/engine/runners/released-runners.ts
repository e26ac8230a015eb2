import type { Clock } from "../../../kernel/time/clock.ts";

/** How long a released runner is left alone. It exits at once, unless background processes still hold output. */
const pauseMs = 60_000;

/**
 * The runners that own no attempt and get no further orders, and whose connection this daemon has closed for that
 * reason. They exit. If one was asked for its attempts meanwhile, it would look like one that hangs.
 */
export function createReleasedRunners(clock: Pick<Clock, "monotonicMs">) {
  const releasedAtMs = new Map<string, number>();
  return {
    add: (id: string): void => void releasedAtMs.set(id, clock.monotonicMs()),
    remove: (id: string): void => void releasedAtMs.delete(id),
    has: (id: string): boolean => clock.monotonicMs() < (releasedAtMs.get(id) ?? -Infinity) + pauseMs,
  };
}
