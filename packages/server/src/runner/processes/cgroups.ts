import { accessSync, mkdirSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Clock, sleep } from "../../kernel/time/clock.ts";
import type { RunnerLog } from "../log.ts";
import { errorCode, isResourceExhausted } from "../system-error.ts";
import { removeCgroup } from "./cgroup.ts";
import { CgroupRemoval } from "./cgroup-removal.ts";
import { findOwnCgroup } from "./own-cgroup.ts";
import type { ProcessId } from "./processes.ts";
import { SpareCgroups } from "./spare-cgroups.ts";

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
const retryMs = 1_000;
/** The pause before the next attempt to create cgroups, after the system has refused one. */
const refusedPauseMs = 30_000;

/**
 * The cgroups of a runner's attempts. A process is in the cgroup of its parent from its first instruction on, and most C
 * libraries cannot choose another. So the runner is in a cgroup that is still empty, starts a task there, and moves to the
 * next one. No cgroup is used twice.
 *
 *   <parent>/belfry-<pid>-<start time>/home   for the runner, when it cannot move on, and for its helpers
 *                                      /<n>   for one attempt
 */
export class Cgroups {
  readonly #base: string;
  readonly #clock: Clock;
  readonly #log: RunnerLog;
  readonly #spares: SpareCgroups;
  #current: string | null;
  #moving: Promise<void> | null = null;
  #movedAtMs = -Infinity;
  #quickMs = quickMaxMs;
  readonly #removal: CgroupRemoval;

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
      mkdirSync(homeIn(base));
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
    this.#spares = new SpareCgroups(base, clock);
    this.#current = this.#spares.take();
    enter(this.#current);
    this.#removal = new CgroupRemoval({ base, clock, log });
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
      next = this.#spares.take();
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

  /** Makes the move that takes long now, so that each of the starts that follow is followed by a quick one. */
  prepare(): void {
    const unused = this.#current;
    if (unused === null || this.#clock.monotonicMs() - this.#movedAtMs < this.#quickMs) return;
    this.#moveOn();
    this.release(unused);
  }

  /** Removes the cgroup of an attempt that has ended, once no process is in it. */
  release(cgroup: string): void {
    this.#removal.add(cgroup);
  }

  /** Leaves the cgroups, and removes those that are empty. */
  close(): void {
    try {
      enter(dirname(this.#base));
    } catch {
      // the next runner removes them
    }
    this.#spares.close();
    this.#removal.close();
    removeCgroup(this.#base);
  }

  #move(gapMs: number): void {
    try {
      const next = this.#spares.take();
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
   * cgroup of another attempt: while the runner cannot leave it, no task starts.
   */
  #retreat(error: unknown): void {
    this.#current = null;
    this.#spares.forget();
    this.#log("warn", "cgroups.failed", { error: errorCode(error) });
    if (leaveAttempts(this.#base)) this.#stayHome();
    else this.#moving = this.#goHome();
  }

  async #goHome(): Promise<void> {
    do await sleep(this.#clock, retryMs);
    while (!leaveAttempts(this.#base));
    this.#stayHome();
  }

  #stayHome(): void {
    this.#moving = null;
    this.#clock.after(refusedPauseMs, () => {
      if (this.#current === null && this.#moving === null) this.#move(Infinity);
    });
  }
}

/**
 * Moves this process home, or else to where it was when it began, so that it is in the cgroup of no attempt. Creates `home`
 * again if somebody has removed it. Returns false if this process may still be in the cgroup of an attempt.
 */
export function leaveAttempts(base: string, findOwn: () => string | null = findOwnCgroup): boolean {
  const home = homeIn(base);
  try {
    enter(home);
    return true;
  } catch (error) {
    // a later try may succeed
    if (isResourceExhausted(error)) return false;
  }
  try {
    mkdirSync(home, { recursive: true });
    enter(home);
    return true;
  } catch {
    // nobody can enter `home`
  }
  try {
    enter(dirname(base));
    return true;
  } catch {
    return isOutside(base, findOwn);
  }
}

/** Whether this process is certainly in the cgroup of no attempt: somebody else may have moved it. */
function isOutside(base: string, findOwn: () => string | null): boolean {
  try {
    const own = findOwn();
    return own !== null && (own === homeIn(base) || !`${own}/`.startsWith(`${base}/`));
  } catch {
    return false;
  }
}

function homeIn(base: string): string {
  return join(base, "home");
}

/** Moves this process into a cgroup. */
function enter(cgroup: string): void {
  writeFileSync(join(cgroup, "cgroup.procs"), "0");
}
