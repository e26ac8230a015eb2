import type { House } from "../api/house.ts";
import type { Json } from "../harness.ts";
import { soleSource } from "../../src/features/runs/source.ts";
import { getRun } from "../stories/arrange.ts";

/** How an attempt ended, as a runner would tell it. */
export interface End {
  readonly exitCode?: number | null;
  readonly cause?: "exit" | "timeout" | "spawn_error" | "lost" | "cancelled";
}

/** A run of this task that ends at once, without a process: all that happens to it is in the database. */
export async function endRun(house: House, taskId: string, { exitCode = 0, cause = "exit" }: End = {}): Promise<Json> {
  const { rooms } = house;
  const none = { written: 0, cut: 0 };
  const hasProcess = cause !== "spawn_error";
  const id = rooms.write((unit) => {
    const task = rooms.tasks.get(taskId);
    const run = rooms.requests.requestFor(unit, task, soleSource({ trigger: "manual" }, unit.now, unit.now));
    const attempt = rooms.lifecycle.dispatch(unit, run, "test");
    rooms.lifecycle.endAttempt(unit, attempt.id, {
      cause,
      exitCode,
      signal: null,
      detail: null,
      pid: hasProcess ? 4_321 : null,
      startedAt: hasProcess ? unit.now : null,
      endedAt: unit.now + (hasProcess ? 250 : 40),
      durationMs: hasProcess ? 250 : 0,
      stdout: none,
      stderr: none,
    });
    return run.id;
  });
  return getRun(house, { id });
}
