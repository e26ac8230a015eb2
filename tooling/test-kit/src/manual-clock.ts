/**
 * A clock that stands still until a test advances it. `jump` sets the wall clock alone, as people and NTP do. `suspend` is
 * time in which the machine sleeps.
 */
export class ManualClock {
  #wall: number;
  #monotonic = 0;
  #suspendedMs = 0;
  #timers = new Set<{ dueAt: number; work: () => void }>();

  constructor(start = "2026-01-01T00:00:00Z") {
    this.#wall = Date.parse(start);
  }

  readonly now = (): number => this.#wall;
  readonly monotonicMs = (): number => this.#monotonic;
  readonly uptimeMs = (): number => this.#monotonic + this.#suspendedMs;

  readonly after = (delayMs: number, work: () => void): { cancel: () => void } => {
    const timer = { dueAt: this.#monotonic + Math.max(0, delayMs), work };
    this.#timers.add(timer);
    return { cancel: () => void this.#timers.delete(timer) };
  };

  /**
   * Advances both clocks, and calls every due timer in order, each at its own time. Promises can settle between two
   * timers.
   */
  async advance(ms: number): Promise<void> {
    const target = this.#monotonic + ms;
    for (;;) {
      await turnEventLoop();
      const next = [...this.#timers].filter((timer) => timer.dueAt <= target).sort((a, b) => a.dueAt - b.dueAt)[0];
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#go(Math.max(next.dueAt, this.#monotonic));
      next.work();
    }
    this.#go(target);
    await turnEventLoop();
  }

  /** Sets the wall clock. No timer notices. */
  jump(ms: number): void {
    this.#wall += ms;
  }

  /** Lets the machine sleep. No timer notices. */
  suspend(ms: number): void {
    this.#wall += ms;
    this.#suspendedMs += ms;
  }

  get pendingTimers(): number {
    return this.#timers.size;
  }

  #go(monotonic: number): void {
    this.#wall += monotonic - this.#monotonic;
    this.#monotonic = monotonic;
  }
}

/** A woken loop of the daemon begins its round within so many turns. */
const turns = 20;

/** Waits for some turns of the event loop: every promise that needs nothing from outside settles in them. */
async function turnEventLoop(): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}
