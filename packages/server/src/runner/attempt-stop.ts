import type { Clock } from "../kernel/time/clock.ts";
import type { RunningTask, Stopping } from "./attempt-state.ts";
import type { ClaimNote, NotedExit } from "./claims/claim.ts";
import { readTicks } from "./processes/processes.ts";
import { describeRemaining } from "./processes/remaining-text.ts";
import type { Scanner } from "./processes/scanner.ts";
import { Stop } from "./processes/stop-process-tree.ts";
import type { Exit } from "./processes/children.ts";
import type { EndCause } from "./protocol/messages.ts";

/** Why the processes of an attempt are ended: a cause, or the exit of the main process, which left them. */
export type StopNote = Extract<ClaimNote, { readonly cause: unknown } | { readonly exit: unknown }>;

interface StopTools {
  readonly clock: Clock;
  readonly scanner: Scanner;
  readonly graceMs: number;
  /** Adds a note to the claim. */
  readonly note: (note: StopNote) => Promise<void>;
}

/** Describes the exit of the main process, before what it left is ended. */
export function describeExit(exit: Exit, task: RunningTask, clock: Clock): NotedExit {
  const durationMs = Math.round(clock.monotonicMs() - task.sinceMs);
  return { ...exit, exitedAt: clock.now(), durationMs, exitTicks: readTicks() };
}

/** Notes the reason in the claim, then ends the processes of the attempt. */
export function beginStop(task: RunningTask, why: StopNote, { clock, scanner, graceMs, note }: StopTools): Stopping {
  const exitTicks = "exit" in why ? why.exit.exitTicks : null;
  const hasExited = "exit" in why;
  const { main, mark, cgroup } = task;
  const target = { main, mark, cgroup, since: main.startTime, hasExited, exitTicks };
  const stop = new Stop(target, { graceMs, clock, scanner });
  return { cause: "cause" in why ? why.cause : null, stop, remaining: note(why).then(() => stop.run()) };
}

/** Returns the cause of an end without a stop. */
export function causeOf({ signal }: Exit): EndCause {
  return signal === null ? "exit" : "signal";
}

/** Describes in the end of an attempt the processes that its stop left, or may have left. */
export async function describeStop(stopping: Stopping | null, noted: NotedExit | null, { cgroup }: RunningTask) {
  // a task that exits by itself may leave processes
  if (stopping === null) return { detail: null };
  const detail = describeRemaining(await stopping.remaining, { isProved: cgroup !== null });
  return noted === null ? { detail } : { detail, exitedAt: noted.exitedAt, durationMs: noted.durationMs };
}
