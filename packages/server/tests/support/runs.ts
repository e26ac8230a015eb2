import type { TestApplication } from "./application.ts";
import type { Json } from "./harness.ts";
import { soleSource } from "../../src/features/runs/source.ts";
import { getRun } from "./tasks.ts";

/** How an attempt ended, as a runner reports it. */
export interface End {
  readonly exitCode?: number | null;
  readonly cause?: "exit" | "timeout" | "spawn_error" | "lost" | "cancelled";
  /** The size of its output, all of which is kept. */
  readonly stdoutBytes?: number;
  /** What the order of its output takes on disk. */
  readonly orderBytes?: number;
}

/** Requests a run of this task and ends it immediately without a process: everything happens in the database. */
export async function endRun(
  app: TestApplication,
  taskId: string,
  { exitCode = 0, cause = "exit", stdoutBytes = 0, orderBytes = 0 }: End = {},
): Promise<Json> {
  const { inside } = app;
  const none = { written: 0, cut: 0 };
  const hasProcess = cause !== "spawn_error";
  const id = inside.write((unit) => {
    const task = inside.tasks.get(taskId);
    const run = inside.requests.requestFor(unit, task, soleSource({ trigger: "manual" }, unit.now, unit.now));
    const attempt = inside.lifecycle.dispatch(unit, run, "test");
    inside.lifecycle.endAttempt(unit, attempt.id, {
      cause,
      exitCode,
      signal: null,
      detail: null,
      pid: hasProcess ? 4_321 : null,
      startedAt: hasProcess ? unit.now : null,
      endedAt: unit.now + (hasProcess ? 250 : 40),
      durationMs: hasProcess ? 250 : 0,
      stdout: { written: stdoutBytes, cut: 0 },
      stderr: none,
      orderBytes,
    });
    return run.id;
  });
  return getRun(app, { id });
}
