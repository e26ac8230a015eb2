import { describeError } from "../../kernel/errors/errors.ts";
import type { Log } from "../../kernel/log/log.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import { createLoop, type Next } from "../../kernel/time/loop.ts";
import type { TaskStore } from "./store.ts";

export interface OverdueWatchParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: Pick<TaskStore, "find" | "listOverdue" | "findNextOverdue" | "hasExpected">;
  /** Called for a task whose success has become overdue. */
  readonly onOverdue: (taskId: string) => void;
}

/** The longest delay after the wall clock was set; the loop itself waits no longer for a time. */
const clockCheckMs = 30_000;
const retryMs = 1_000;

/** Reports each task whose success becomes overdue. Answers do not need it: they compare with the time of the call. */
export function createOverdueWatch({ clock, log, store, onOverdue }: OverdueWatchParts) {
  // a success may have become overdue while no daemon ran
  let reportedUntil = 0;
  const loop = createLoop({
    clock,
    round,
    onFailure: (error) => {
      log.error("tasks.overdue_failed", { error: describeError(error) });
      return { afterMs: retryMs };
    },
  });
  return { ...loop, start: loop.wake };

  function round(): Next {
    const now = clock.now();
    for (const id of store.listOverdue(reportedUntil, now)) {
      log.warn("task.overdue", { task: store.find(id)?.name, task_id: id });
      onOverdue(id);
    }
    reportedUntil = now;
    const at = store.findNextOverdue(now);
    if (at !== null) return { at };
    // a clock that is set back makes an overdue success due again
    return store.hasExpected() ? { afterMs: clockCheckMs } : null;
  }
}
