import { type Clock, within } from "../../kernel/time/clock.ts";
import { killMembers, listMembers } from "./cgroup.ts";
import { Kinship, type Target } from "./kinship.ts";
import { isRunning, signalGroup, signalProcess } from "./processes.ts";
import type { Scanner, SeenProcess } from "./scanner.ts";

/** How long after KILL the scans continue for processes that do not end. */
export const killTimeoutMs = 30_000;

const pauseMinMs = 20;
const pauseMaxMs = 500;

export interface StopOptions {
  readonly graceMs: number;
  readonly clock: Clock;
  readonly scanner: Pick<Scanner, "scan">;
}

/**
 * Ends every process of an attempt.
 *
 *   scan   Before the first signal: while the main process lives, its children can be found by their parent.
 *   TERM   To the group; to each process if the main one has exited before, or is not known. Skipped without a grace. The
 *          stop is over once the main process is gone and no other is found.
 *   KILL   At the end of the grace, which begins with TERM, however long the scan took: to the group and to the cgroup,
 *          then repeatedly to each process found.
 *
 * The stop is over when two scans in a row find none (one scan may miss a process that is just being forked), or at the
 * timeout. Each process is checked again right before a signal, so that a process with a reused pid is never signalled.
 */
export class Stop {
  readonly #target: Target;
  readonly #options: StopOptions;
  readonly #kinship: Kinship;
  #found: readonly SeenProcess[] = [];
  #graceMs: number;
  #termAt: number | null = null;
  #wake: () => void = () => {};

  constructor(target: Target, options: StopOptions) {
    this.#target = target;
    this.#options = options;
    this.#kinship = new Kinship(target);
    this.#graceMs = options.graceMs;
  }

  /** Shortens the grace; never makes it longer. */
  shortenGrace(graceMs: number): void {
    const passedMs = this.#termAt === null ? 0 : this.#options.clock.monotonicMs() - this.#termAt;
    this.#graceMs = Math.min(this.#graceMs, passedMs + graceMs);
    this.#wake();
  }

  /** Scans immediately, because the main process has just ended. */
  lookNow(): void {
    this.#wake();
  }

  /** Resolves with the processes that did not end. */
  async run(): Promise<readonly number[]> {
    if (this.#isMainRunning()) await this.#scan();
    else if (await this.#isClear()) return [];
    if (this.#graceLeftMs > 0 && (await this.#endGently())) return [];
    return this.#kill();
  }

  /** The whole grace until TERM is sent. */
  get #graceLeftMs(): number {
    return this.#termAt === null ? this.#graceMs : this.#msUntil(this.#termAt + this.#graceMs);
  }

  async #endGently(): Promise<boolean> {
    this.#termAt = this.#options.clock.monotonicMs();
    this.#signalGroup("SIGTERM");
    if (this.#target.hasExited) this.#signalOutsideGroup("SIGTERM");
    for (let pauseMs = pauseMinMs; this.#graceLeftMs > 0; pauseMs = Math.min(pauseMs * 2, pauseMaxMs)) {
      if (!this.#isMainRunning() && (await this.#isClear())) return true;
      await this.#pause(Math.min(pauseMs, this.#graceLeftMs));
    }
    return false;
  }

  async #kill(): Promise<readonly number[]> {
    const giveUpAt = this.#options.clock.monotonicMs() + killTimeoutMs;
    this.#signalGroup("SIGKILL");
    for (let pauseMs = pauseMinMs; ; pauseMs = Math.min(pauseMs * 2, pauseMaxMs)) {
      if (await this.#isClear()) return [];
      if (this.#msUntil(giveUpAt) <= 0) return this.#found.map(({ pid }) => pid);
      if (this.#target.cgroup !== null) killMembers(this.#target.cgroup, this.#target.main);
      for (const member of this.#found) signalProcess(member, "SIGKILL");
      await this.#pause(pauseMs);
    }
  }

  async #isClear(): Promise<boolean> {
    return (await this.#scan()) && this.#found.length === 0 && (await this.#scan()) && this.#found.length === 0;
  }

  /** Scans for processes; returns false if the scan failed. Then the processes found before still count. */
  async #scan(): Promise<boolean> {
    try {
      const { since, cgroup } = this.#target;
      const seen = await this.#options.scanner.scan(since);
      this.#found = this.#kinship.find(seen, cgroup === null ? [] : listMembers(cgroup));
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
    // without the main process the group is not known
    for (const member of this.#found) signalProcess(member, signal);
  }

  /** Without its main process, no process of the attempt passes a signal to those outside of the group. */
  #signalOutsideGroup(signal: NodeJS.Signals): void {
    for (const member of this.#found) if (member.group !== this.#target.main?.pid) signalProcess(member, signal);
  }

  #msUntil(at: number): number {
    return at - this.#options.clock.monotonicMs();
  }

  async #pause(ms: number): Promise<void> {
    const woken = new Promise<void>((resolve) => (this.#wake = resolve));
    await within(this.#options.clock, ms, woken);
  }
}
