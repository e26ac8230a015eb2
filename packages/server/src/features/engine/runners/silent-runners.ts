import type { Clock } from "../../../kernel/time/clock.ts";
import type { Instant } from "../../../kernel/time/time.ts";
import { isAlive, type RunnerIdentity } from "../../../runner/identity.ts";

/** A live runner that does not respond, and when the daemon noticed it. */
export interface SilentRunner {
  readonly runner: RunnerIdentity;
  readonly since: Instant;
}

/** The runners that do not respond. One that dies is dropped. */
export function createSilentRunners(clock: Pick<Clock, "now">) {
  const byId = new Map<string, SilentRunner>();
  return {
    add: (runner: RunnerIdentity): void => {
      if (!byId.has(runner.id)) byId.set(runner.id, { runner, since: clock.now() });
    },
    remove: (id: string): void => void byId.delete(id),
    has: (id: string): boolean => byId.has(id),
    list: (): readonly SilentRunner[] => {
      for (const [id, { runner }] of byId) if (!isAlive(runner)) byId.delete(id);
      return [...byId.values()];
    },
  };
}
