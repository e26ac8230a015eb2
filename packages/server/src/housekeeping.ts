import { type Clock, sleep } from "./kernel/time/clock.ts";
import { createLoop, type Next } from "./kernel/time/loop.ts";
import { describeError, isStorageFailure } from "./kernel/errors/errors.ts";
import type { Log } from "./kernel/log/log.ts";
import type { WalTruncation } from "./kernel/storage/wal-truncation.ts";
import type { AnyFact, Write } from "./kernel/storage/write.ts";
import type { Modules } from "./modules.ts";

export interface HousekeepingParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly write: Write<AnyFact>;
  readonly modules: Pick<Modules, "runs" | "engine" | "channels" | "audit" | "holds">;
  readonly walTruncation: WalTruncation;
}

const firstAfterMs = 60_000;
const everyMs = 3_600_000;
const roundsPerDay = 24;
const tasksPerPage = 100;
/** The longest time that history is looked through before other work has its turn, and the pause for that work. */
const turnMs = 0.5;
const pauseMs = 50;

/**
 * Each hour, removes old history of tasks that no longer run, output whose run was deleted, and secrets that no longer
 * sign. Each day, writes the head of the audit trail to the log. It works in small steps between other work. A step that
 * fails does not stop the next ones.
 */
export function createHousekeeping(parts: HousekeepingParts) {
  const { clock, log, write, walTruncation } = parts;
  const { retention } = parts.modules.runs;
  const loop = createLoop({
    clock,
    round,
    onFailure: (error) => {
      log.error("housekeeping.failed", { step: "round", error: describeError(error) });
      return { afterMs: everyMs };
    },
  });
  let rounds = 0;

  return {
    rounds: loop.rounds,
    start: (): void => loop.wakeWithin(firstAfterMs),
    stop: loop.stop,
  };

  async function round(stopping: AbortSignal): Promise<Next> {
    // a restore brings back history that is older than the retention: it stays until someone has seen it
    const { isFromElsewhere } = parts.modules.holds.service;
    if (!isFromElsewhere()) await step("history", () => pruneAll(stopping));
    await step("secrets", () => {
      if (write(parts.modules.channels.service.eraseExpired) > 0) walTruncation.request();
    });
    if (!isFromElsewhere()) await step("output", () => parts.modules.engine.service.sweepOutput(stopping));
    rounds += 1;
    if (rounds % roundsPerDay === 0) await step("audit_head", parts.modules.audit.service.logHead);
    return { afterMs: everyMs };

    async function step(name: string, work: () => unknown): Promise<void> {
      if (stopping.aborted) return;
      try {
        await work();
      } catch (error) {
        if (error !== stopping.reason) log.error("housekeeping.failed", { step: name, error: describeError(error) });
      }
    }
  }

  async function pruneAll(stopping: AbortSignal): Promise<void> {
    let turnEndsMs = clock.monotonicMs() + turnMs;
    for (
      let tasks = retention.listTaskIds("", tasksPerPage);
      tasks.length > 0;
      tasks = retention.listTaskIds(tasks.at(-1)!, tasksPerPage)
    ) {
      for (const taskId of tasks) {
        await prune(taskId, stopping);
        if (clock.monotonicMs() < turnEndsMs) continue;
        await nextTurn(stopping);
        turnEndsMs = clock.monotonicMs() + turnMs;
      }
    }
  }

  async function prune(taskId: string, stopping: AbortSignal): Promise<void> {
    try {
      while (retention.hasExcess(taskId, clock.now())) {
        if (write((unit) => retention.prune(unit, taskId)) === 0) return;
        await nextTurn(stopping);
      }
    } catch (error) {
      // the next task would fail too
      if (error === stopping.reason || isStorageFailure(error)) throw error;
      log.error("housekeeping.failed", { step: "history", task_id: taskId, error: describeError(error) });
    }
  }

  /** Resolves in a later turn of the event loop; rejects when the daemon stops. */
  function nextTurn(stopping: AbortSignal): Promise<void> {
    return sleep(clock, pauseMs, stopping);
  }
}
