import type { Engine } from "./features/engine/index.ts";
import type { Channels } from "./features/channels/index.ts";
import type { Retention } from "./features/runs/index.ts";
import type { Clock, Timer } from "./kernel/time/clock.ts";
import { describeError, isStorageFailure } from "./kernel/errors/errors.ts";
import type { Log } from "./kernel/log/log.ts";
import type { LogTruncation } from "./kernel/storage/wal-truncation.ts";
import type { Write } from "./kernel/storage/write.ts";
import type { Fact } from "./reactions.ts";

export interface HousekeepingParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly write: Write<Fact>;
  readonly retention: Retention;
  readonly engine: Engine;
  readonly channels: Channels;
  readonly logTruncation: LogTruncation;
}

const firstAfterMs = 60_000;
const everyMs = 3_600_000;
const tasksAtOnce = 100;

/** Each hour: old history of tasks that no longer run, output that no run has any more, secrets that sign no more. In small steps between other work; one that fails holds up no other. */
export function createHousekeeping(parts: HousekeepingParts) {
  const { clock, log, write, retention, engine, channels, logTruncation } = parts;
  let timer: Timer | null = null;
  let isStopped = false;

  async function round(): Promise<void> {
    await step("history", pruneAll);
    await step("secrets", () => {
      if (write(channels.eraseExpired) > 0) logTruncation.request();
    });
    await step("output", engine.sweepOutput);
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
