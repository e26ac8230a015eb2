/** A busy machine, or one whose disk stalls, is slow. A test of a guarantee in time names its own limit. */
export const patienceMs = 120_000;
/** A longer wait is printed, because it may be more than slowness. */
const longMs = 10_000;

/**
 * Polls until a check of the real world (a file, a process, an answer) succeeds. Fails with `what` after `withinMs`.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  withinMs = patienceMs,
): Promise<NonNullable<T>> {
  const start = performance.now();
  const deadline = start + withinMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== null && seen !== false) {
      reportLongWait(what, performance.now() - start);
      return seen;
    }
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export function reportLongWait(what: string, ms: number): void {
  if (ms > longMs) console.warn(`waited ${Math.round(ms)} ms: ${what}`);
}
