import type { Clock, Timer } from "./kernel/time/clock.ts";
import { describeError, isStorageFailure } from "./kernel/errors/errors.ts";
import type { Log } from "./kernel/log/log.ts";
import type { WalTruncation } from "./kernel/storage/wal-truncation.ts";
import type { AnyFact, Write } from "./kernel/storage/write.ts";
import type { Modules } from "./modules.ts";

export interface HousekeepingParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly write: Write<AnyFact>;
  readonly modules: Pick<Modules, "runs" | "engine" | "channels">;
  readonly walTruncation: WalTruncation;
}

const firstAfterMs = 60_000;
const everyMs = 3_600_000;
const tasksAtOnce = 100;

/** Each hour: old history of tasks that no longer run, output that no run has any more, secrets that sign no more. In small steps between other work; one that fails holds up no other. */
export function createHousekeeping(parts: HousekeepingParts) {
  const { clock, log, write, walTruncation } = parts;
  const { retention } = parts.modules.runs;
  let timer: Timer | null = null;
  let isStopped = false;

  async function round(): Promise<void> {
    await step("history", pruneAll);
    await step("secrets", () => {
      if (write(parts.modules.channels.service.eraseExpired) > 0) walTruncation.request();
    });
    await step("output", parts.modules.engine.engine.sweepOutput);
    if (!isStopped) timer = clock.after(everyMs, () => void round());
  }

  async function step(name: string, work: () => unknown): Promise<void> {
    if (isStopped) return;
    try {
      await work();
    } catch (error) {
      log.error("housekeeping.failed", { step: name, error: describeError(error) });
    }
  }

  async function pruneAll(): Promise<void> {
    for (
      let tasks = retention.listTaskIds("", tasksAtOnce);
      tasks.length > 0;
      tasks = retention.listTaskIds(tasks.at(-1)!, tasksAtOnce)
    ) {
      for (const taskId of tasks) await prune(taskId);
      await nextTurn();
    }
  }

  async function prune(taskId: string): Promise<void> {
    try {
      while (!isStopped && write((unit) => retention.prune(unit, taskId)) > 0) await nextTurn();
    } catch (error) {
      // the next task would fail as well
      if (isStorageFailure(error)) throw error;
      log.error("housekeeping.failed", { step: "history", task_id: taskId, error: describeError(error) });
    }
  }

  function nextTurn(): Promise<void> {
    return new Promise((resolve) => void clock.after(1, resolve));
  }

  return {
    start: (): void => {
      timer = clock.after(firstAfterMs, () => void round());
    },
    stop: (): void => {
      isStopped = true;
      timer?.cancel();
    },
  };
}
