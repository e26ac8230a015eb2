import type { Clock } from "../../kernel/time/clock.ts";
import { Kinship, type Target } from "./kinship.ts";
import { isRunning, type ProcessId, signalGroup, signalProcess } from "./processes.ts";
import type { Scanner } from "./scanner.ts";

/** After KILL, how long to go on looking for processes that will not go. */
export const killBoundMs = 30_000;

const pauseMinMs = 20;
const pauseMaxMs = 500;

export interface StopOptions {
  readonly graceMs: number;
  readonly clock: Clock;
  readonly scanner: Pick<Scanner, "look">;
}

/**
 * Ends every process of an attempt.
 *
 *   look   before the first signal: while the main process lives, its children are known by it
 *   TERM   to the group, or to each process where the main one is not known; left out without a grace. Over as soon as the
 *          main process is gone and nobody else is found
 *   KILL   at the end of the grace: to the group, then to each process found, again and again
 *
 * Over when two looks in a row find none (one may miss a process that is just being forked), or when the bound has passed.
 * Right before each signal the receiver is looked at again, so that nobody who has inherited a number is ever hit.
 */
export class Stop {
  readonly #target: Target;
  readonly #options: StopOptions;
  readonly #kinship: Kinship;
  #found: readonly ProcessId[] = [];
  #killAt: number;
  #wake: () => void = () => {};

  constructor(target: Target, options: StopOptions) {
    this.#target = target;
    this.#options = options;
    this.#kinship = new Kinship(target);
    this.#killAt = options.clock.monotonicMs() + options.graceMs;
  }

  /** Shortens the grace; never makes it longer. */
  hasten(graceMs: number): void {
    this.#killAt = Math.min(this.#killAt, this.#options.clock.monotonicMs() + graceMs);
    this.#wake();
  }

  /** The main process has just ended: worth a look. */
  nudge(): void {
    this.#wake();
  }

  /** Resolves with the processes that would not go. */
  async run(): Promise<readonly number[]> {
    await this.#look();
    if (this.#msUntil(this.#killAt) > 0 && (await this.#endGently())) return [];
    return this.#kill();
  }

  async #endGently(): Promise<boolean> {
    this.#signalGroup("SIGTERM");
    for (let pauseMs = pauseMinMs; this.#msUntil(this.#killAt) > 0; pauseMs = Math.min(pauseMs * 2, pauseMaxMs)) {
      if (!this.#isMainRunning() && (await this.#isClear())) return true;
      await this.#pause(Math.min(pauseMs, this.#msUntil(this.#killAt)));
    }
    return false;
  }

  async #kill(): Promise<readonly number[]> {
    const giveUpAt = this.#options.clock.monotonicMs() + killBoundMs;
    this.#signalGroup("SIGKILL");
    for (let pauseMs = pauseMinMs; ; pauseMs = Math.min(pauseMs * 2, pauseMaxMs)) {
      if (await this.#isClear()) return [];
      if (this.#msUntil(giveUpAt) <= 0) return this.#found.map(({ pid }) => pid);
      for (const member of this.#found) signalProcess(member, "SIGKILL");
      await this.#pause(pauseMs);
    }
  }

  async #isClear(): Promise<boolean> {
    return (await this.#look()) && this.#found.length === 0 && (await this.#look()) && this.#found.length === 0;
  }

  /** False when the processes could not be looked at: then those found before still count. */
  async #look(): Promise<boolean> {
    try {
      this.#found = this.#kinship.find(await this.#options.scanner.look(this.#target.since));
      return true;
    } catch {
      return false;
    }
  }

  #isMainRunning(): boolean {
    const { main } = this.#target;
    try {
      return main !== null && isRunning(main);
    } catch {
      return true;
    }
  }

  #signalGroup(signal: NodeJS.Signals): void {
    const { main } = this.#target;
    if (main !== null) return signalGroup(main.pid, [main, ...this.#found], signal);
    // no group is known by a process that is not
    for (const member of this.#found) signalProcess(member, signal);
  }

  #msUntil(at: number): number {
    return at - this.#options.clock.monotonicMs();
  }

  async #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = this.#options.clock.after(ms, resolve);
    this.#wake = resolve;
    await promise;
    timer.cancel();
  }
}
