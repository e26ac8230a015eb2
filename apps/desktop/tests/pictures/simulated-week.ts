import { ManualClock } from "@belfry/test-kit";
import { cpSync } from "node:fs";
import { openTestApplication } from "../../../../packages/server/tests/support/application.ts";
import type { Json } from "../../../../packages/server/tests/support/harness.ts";
import { seeded } from "../../../../packages/server/tests/support/seeded.ts";
import { simulateRunners, succeeded } from "../../../../packages/server/tests/support/simulated-runners.ts";

/** How the runs of a task go. */
export interface Habit {
  /** How long a run takes, about. */
  readonly seconds: number;
  /** Whether the run of this number fails, of those since the start of the week. */
  readonly fails?: (number: number, at: number) => boolean;
}

export type Make = (path: string, body?: object) => Promise<Json>;

const day = 86_400_000;
const days = 7;

/**
 * Fills a data directory with a week of runs that ends now. The daemon's own engine makes them, with a clock that is
 * advanced; no process starts. `define` makes the tasks, and says how the runs of each go.
 */
export async function simulateWeek<T extends { readonly habits: ReadonlyMap<string, Habit> }>(
  dataDir: string,
  define: (make: Make) => Promise<T>,
): Promise<T> {
  const clock = new ManualClock(new Date(Date.now() - days * day).toISOString());
  const runners = simulateRunners();
  const random = seeded(7);
  await using app = await openTestApplication({ clock, canRun: true, openRunners: runners.open });
  app.inside.ticker.start();
  app.inside.overdueWatch.start();
  const made = await define(async (path, body = {}) => {
    const { status, json, text } = await app.call("POST", path, body);
    if (status >= 300) throw new Error(`${path}: ${text}`);
    return json;
  });
  const until = Date.now();
  const numbers = new Map<string, number>();
  const start = (attempt: string, taskId: string): void => {
    const { seconds, fails } = made.habits.get(taskId)!;
    const number = numbers.get(taskId) ?? 0;
    numbers.set(taskId, number + 1);
    const startedAt = clock.now();
    const exitCode = fails?.(number, startedAt) === true ? 1 + (number % 3) : 0;
    const wanted = seconds * 1_000 * (0.8 + 0.4 * random()) * (exitCode === 0 ? 1 : 0.3);
    // nothing is active when the week is over
    const durationMs = Math.max(5, Math.round(Math.min(wanted, until - startedAt - 1_000)));
    runners.report({ is: "started", attempt, pid: 4_321, at: startedAt });
    clock.after(durationMs, () =>
      runners.report({
        is: "ended",
        attempt,
        end: { ...succeeded(startedAt), endedAt: startedAt + durationMs, durationMs, exitCode },
      }),
    );
  };
  let seen = 0;
  const startOrdered = (): void => {
    for (; seen < runners.orders.length; seen += 1) {
      const order = runners.orders[seen]!;
      if (order.do === "start") start(order.attempt, order.spec.environment["BELFRY_TASK_ID"]!);
    }
  };
  while (clock.now() < until) {
    await clock.advance(Math.min(15_000, until - clock.now()));
    await app.rounds.engine.idle();
    startOrdered();
  }
  await clock.advance(1_000);
  await app.rounds.engine.idle();
  app.sqlite.pragma("wal_checkpoint(TRUNCATE)");
  cpSync(app.dataDir, dataDir, { recursive: true });
  return made;
}
