/*
 * When the changes of a watcher have settled. Times are monotonic milliseconds.
 *
 *   quiet      No file has changed since the last ones were released.
 *   moving     Something changed. Each further change begins the debounce again.
 *   resting    The debounce is over and every changed file was looked at. They must now stay as they are for the stability.
 *
 *   quiet   -> moving    a change
 *   moving  -> moving    a change: the debounce begins again
 *   moving  -> resting   the debounce is over, and a look at the changed files found them as they were
 *   resting -> moving    a change, or the second look found one
 *   resting -> quiet     the stability is over, and the second look found all files as they were: all are released
 *   moving, resting -> moving | quiet   `max_wait` is over since the first change: the files that have been stable for long
 *                        enough are released. If others remain, they begin again with a new `max_wait`.
 */

export interface Timings {
  readonly debounceMs: number;
  readonly stabilityMs: number;
  readonly maxWaitMs: number;
}

export type Phase =
  | { readonly is: "quiet" }
  | { readonly is: "moving"; readonly firstAt: number; readonly lastAt: number }
  | { readonly is: "resting"; readonly firstAt: number; readonly sinceAt: number };

export const quiet: Phase = { is: "quiet" };

/** What the time has come for: a first or a second look at the changed files, or the end of `max_wait`. */
export type Due = "first_look" | "second_look" | "max_wait";

export function onChange(phase: Phase, at: number): Phase {
  if (phase.is === "quiet") return { is: "moving", firstAt: at, lastAt: at };
  return { is: "moving", firstAt: phase.firstAt, lastAt: phase.is === "moving" ? Math.max(phase.lastAt, at) : at };
}

/** When something is due; null while nothing is. */
export function dueAt(phase: Phase, timings: Timings): number | null {
  switch (phase.is) {
    case "quiet":
      return null;
    case "moving":
      return Math.min(phase.lastAt + timings.debounceMs, phase.firstAt + timings.maxWaitMs);
    case "resting":
      return Math.min(phase.sinceAt + timings.stabilityMs, phase.firstAt + timings.maxWaitMs);
  }
}

export function whatIsDue(phase: Phase, timings: Timings, now: number): Due | null {
  const at = dueAt(phase, timings);
  if (phase.is === "quiet" || at === null || now < at) return null;
  // a look that is due at the same time releases more
  if (phase.is === "moving") return now >= phase.lastAt + timings.debounceMs ? "first_look" : "max_wait";
  return now >= phase.sinceAt + timings.stabilityMs ? "second_look" : "max_wait";
}

/** After the first look found all files as they were. */
export function rest(phase: Phase, at: number): Phase {
  return phase.is === "moving" ? { is: "resting", firstAt: phase.firstAt, sinceAt: at } : phase;
}

/** After a release; `remains` where files that still change are left. */
export function release(now: number, { remains }: { readonly remains: boolean }): Phase {
  return remains ? { is: "moving", firstAt: now, lastAt: now } : quiet;
}
