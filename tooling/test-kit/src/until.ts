/**
 * Polls until a check of the real world (a file, a process, an answer) succeeds. Fails with `what` after `withinMs`.
 */
export async function until<T>(what: string, look: () => T | Promise<T>, withinMs = 10_000): Promise<NonNullable<T>> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== null && seen !== false) return seen;
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
