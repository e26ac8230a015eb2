import { accessSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Clock, sleep, soon, type Timer } from "../../kernel/time/clock.ts";
import type { RunnerLog } from "../log.ts";
import { errorCode, isResourceExhausted } from "../system-error.ts";
import { removeCgroup } from "./cgroup.ts";
import { findOwnCgroup } from "./own-cgroup.ts";
import { isRunning, type ProcessId } from "./processes.ts";

export interface CgroupsParts {
  readonly runner: ProcessId;
  readonly clock: Clock;
  readonly log: RunnerLog;
  /** The cgroup in which to create others; null if there is none. */
  readonly parent?: string | null;
}

const prefix = "belfry-";
/**
 * A move that soon follows another takes 0.1 ms. Any other takes 12 ms, in which the kernel waits for all CPUs: it is done in
 * the thread pool. How soon depends on the kernel, at most this.
 */
const quickMaxMs = 12;
const quickMinMs = 1;
const slowMoveMs = 2;
const releaseMs = 100;
const retryMs = 1_000;
const sweepMs = 30_000;
const firstSweepMs = 2_000;
/** The number of cgroups to look at in one turn of the event loop. */
const slice = 32;

/**
 * The cgroups of a runner's attempts. A process is in the cgroup of its parent from its first instruction on, and most C
 * libraries cannot choose another. So the runner sits in a cgroup that is still empty, starts a task there, and moves on to the next one. No
 * cgroup is used twice.
 *
 *   <parent>/belfry-<pid>-<start time>/home   for the runner, when it cannot move on, and for its helpers
 *                                      /<n>   for one attempt
 */
export class Cgroups {
  readonly #base: string;
  readonly #clock: Clock;
  readonly #log: RunnerLog;
  #made = 0;
  #current: string | null;
  #moving: Promise<void> | null = null;
  #movedAtMs = -Infinity;
  #quickMs = quickMaxMs;
  /** Cgroups of attempts that have ended, in which processes go on. */
  readonly #occupied = new Set<string>();
  #hasDead = true;
  #sweeping: Timer | null = null;
  readonly #released: string[] = [];
  #removing: Timer | null = null;

  /** Returns null if no cgroup is delegated to this process. */
  static open(parts: CgroupsParts): Cgroups | null {
    const { runner, log } = parts;
    let base: string | null = null;
    try {
      const parent = parts.parent === undefined ? findOwnCgroup() : parts.parent;
      if (parent === null) return null;
      base = join(parent, `${prefix}${runner.pid}-${runner.startTime}`);
      mkdirSync(base);
      // Linux 5.14
      accessSync(join(base, "cgroup.kill"));
      mkdirSync(join(base, "home"));
      return new Cgroups(base, parts);
    } catch (error) {
      if (base !== null) removeCgroup(base);
      log("info", "cgroups.unavailable", { error: errorCode(error) });
      return null;
    }
  }

  private constructor(base: string, { clock, log }: CgroupsParts) {
    this.#base = base;
    this.#clock = clock;
    this.#log = log;
    this.#current = this.#create();
    enter(this.#current);
    this.#sweepLater(firstSweepMs);
  }

  /** The cgroup of helpers, which outlive the start of a task. */
  get home(): string {
    return join(this.#base, "home");
  }

  /** Settles when the runner has left the cgroup of the former start; null if it has. No task may start before. */
  get moving(): Promise<void> | null {
    return this.#moving;
  }

  /**
   * Starts a process in a cgroup of its own. `cgroup` is null if the system has refused one. Calls `onCgroup` right before the
   * start. Then the runner moves on, even if the start has failed.
   */
  start<TStarted>(begin: () => TStarted, onCgroup: (cgroup: string) => void) {
    const cgroup = this.#current;
    if (cgroup === null) return { started: begin(), cgroup };
    using failed = new DisposableStack();
    failed.defer(() => this.release(cgroup));
    try {
      onCgroup(cgroup);
      const started = begin();
      failed.move();
      return { started, cgroup };
    } finally {
      this.#moveOn();
    }
  }

  #moveOn(): void {
    const beganMs = this.#clock.monotonicMs();
    const gapMs = beganMs - this.#movedAtMs;
    if (gapMs < this.#quickMs) return this.#move(gapMs);
    let next: string;
    try {
      next = this.#create();
    } catch (error) {
      return this.#retreat(error);
    }
    this.#current = null;
    this.#moving = writeFile(join(next, "cgroup.procs"), "0").then(
      () => {
        if (this.#clock.monotonicMs() - beganMs < slowMoveMs) this.#expectQuick(gapMs * 2);
        this.#noteMoved(next);
      },
      (error: unknown) => this.#retreat(error),
    );
  }

  #expectQuick(gapMs: number): void {
    this.#quickMs = Math.min(quickMaxMs, Math.max(quickMinMs, gapMs));
  }

  /** Removes the cgroup of an attempt that has ended, once no process is in it. Not at once: starts come first. */
  release(cgroup: string): void {
    this.#released.push(cgroup);
    this.#removing ??= this.#clock.after(releaseMs, () => this.#removeReleased());
  }

  #removeReleased(): void {
    this.#removing = null;
    for (const cgroup of this.#released.splice(0, slice)) if (!removeCgroup(cgroup)) this.#occupied.add(cgroup);
    if (this.#released.length > 0) this.#removing = this.#clock.after(releaseMs, () => this.#removeReleased());
    this.#sweepLater();
  }

  /** Leaves the cgroups, and removes those that are empty. */
  close(): void {
    try {
      enter(dirname(this.#base));
    } catch {
      // the next runner removes them
    }
    this.#sweeping?.cancel();
    this.#removing?.cancel();
    removeCgroup(this.#base);
  }

  #move(gapMs: number): void {
    try {
      const next = this.#create();
      const beganMs = this.#clock.monotonicMs();
      enter(next);
      if (this.#clock.monotonicMs() - beganMs > slowMoveMs) this.#expectQuick(gapMs / 2);
      this.#noteMoved(next);
    } catch (error) {
      this.#retreat(error);
    }
  }

  #noteMoved(cgroup: string): void {
    this.#moving = null;
    this.#current = cgroup;
    this.#movedAtMs = this.#clock.monotonicMs();
  }

  /**
   * The system refuses more cgroups, or someone removed them. Later attempts begin beside the runner, but never in the
   * cgroup of another attempt: while the system lacks a resource to leave it, no task starts.
   */
  #retreat(error: unknown): void {
    this.#current = null;
    this.#log("warn", "cgroups.failed", { error: errorCode(error) });
    this.#moving = this.#goHome();
  }

  async #goHome(): Promise<void> {
    while (!this.#isHome()) await sleep(this.#clock, retryMs);
    this.#moving = null;
    this.#clock.after(sweepMs, () => {
      if (this.#current === null && this.#moving === null) this.#move(Infinity);
    });
  }

  /** Returns false only if a later try may succeed. */
  #isHome(): boolean {
    try {
      enter(this.home);
      return true;
    } catch (error) {
      return !isResourceExhausted(error);
    }
  }

  /** Creating one takes 0.03 ms, less than a trip through the thread pool. */
  #create(): string {
    const cgroup = join(this.#base, String(this.#made++));
    mkdirSync(cgroup);
    return cgroup;
  }

  #sweepLater(afterMs = sweepMs): void {
    if (this.#occupied.size === 0 && !this.#hasDead) return;
    this.#sweeping ??= this.#clock.after(afterMs, () => void this.#sweep());
  }

  async #sweep(): Promise<void> {
    const occupied = [...this.#occupied];
    for (let from = 0; from < occupied.length; from += slice) {
      for (const cgroup of occupied.slice(from, from + slice)) if (removeCgroup(cgroup)) this.#occupied.delete(cgroup);
      await nextTurn();
    }
    try {
      this.#hasDead = !(await removeDead(dirname(this.#base)));
    } catch (error) {
      this.#log("warn", "cgroups.failed", { error: errorCode(error) });
    }
    this.#sweeping = null;
    this.#sweepLater();
  }
}

/** Moves this process into a cgroup. */
function enter(cgroup: string): void {
  writeFileSync(join(cgroup, "cgroup.procs"), "0");
}

/** Removes what dead runners left, as far as it is empty. Returns whether nothing is left of them. */
async function removeDead(parent: string): Promise<boolean> {
  let isGone = true;
  for (const name of readdirSync(parent)) {
    const [, pid, startTime] = /^belfry-(\d+)-(\d+)$/.exec(name) ?? [];
    if (pid === undefined || isRunning({ pid: Number(pid), startTime: Number(startTime) })) continue;
    isGone = removeCgroup(join(parent, name)) && isGone;
    await nextTurn();
  }
  return isGone;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => soon(resolve));
}
