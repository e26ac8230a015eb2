import { describeError } from "../../kernel/errors/errors.ts";
import type { Log } from "../../kernel/log/log.ts";
import type { Write } from "../../kernel/storage/write.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import { createLoop } from "../../kernel/time/loop.ts";
import type { HoldFact } from "./facts.ts";
import type { Holds } from "./service.ts";

export interface ReleaseLoopParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly write: Write<HoldFact>;
  readonly holds: Pick<Holds, "releaseExpired" | "findNextRelease">;
}

const retryMs = 1_000;

/** Releases each hold at its time. */
export function createReleaseLoop({ clock, log, write, holds }: ReleaseLoopParts) {
  const releaseExpired = (): void => {
    const at = holds.findNextRelease();
    if (at !== null && at <= clock.now()) write(holds.releaseExpired);
  };
  const loop = createLoop({
    clock,
    round: () => {
      releaseExpired();
      const at = holds.findNextRelease();
      return at === null ? null : { at };
    },
    onFailure: (error) => {
      log.error("hold.release_failed", { error: describeError(error) });
      return { afterMs: retryMs };
    },
  });
  return {
    ...loop,
    // before the ticker starts: what was held until the release is not due after it
    start: loop.runNow,
    /** For who handles what is due, and may be awake before this loop: after a suspend, the hold may be over. */
    releaseExpired,
  };
}
