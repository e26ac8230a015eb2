import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Clock, soon, type Timer } from "../../kernel/time/clock.ts";
import type { RunnerLog } from "../log.ts";
import { errorCode } from "../system-error.ts";
import { removeCgroup } from "./cgroup.ts";
import { isRunning } from "./processes.ts";

export interface CgroupRemovalParts {
  /** The folder with the cgroups of this runner's attempts. */
  readonly base: string;
  readonly clock: Clock;
  readonly log: RunnerLog;
}

const releaseMs = 100;
const sweepMs = 30_000;
const firstSweepMs = 2_000;
/** The number of cgroups to look at in one turn of the event loop. */
const slice = 32;
/** The least share of the released cgroups that one turn removes, so that they never pile up. */
const share = 1 / 4;

/** Removes the cgroups of attempts that have ended, and those that dead runners left. */
export class CgroupRemoval {
  readonly #base: string;
  readonly #clock: Clock;
  readonly #log: RunnerLog;
  readonly #released: string[] = [];
  #removing: Timer | null = null;
  /** Cgroups of attempts that have ended, in which processes go on. */
  readonly #occupied = new Set<string>();
  #hasDead = true;
  #sweeping: Timer | null = null;

  constructor({ base, clock, log }: CgroupRemovalParts) {
    this.#base = base;
    this.#clock = clock;
    this.#log = log;
    this.#sweepLater(firstSweepMs);
  }

  /** Removes a cgroup once no process is in it. Not at once: starts come first. */
  add(cgroup: string): void {
    this.#released.push(cgroup);
    this.#removeLater();
  }

  close(): void {
    this.#sweeping?.cancel();
    this.#removing?.cancel();
  }

  #removeLater(): void {
    this.#removing ??= this.#clock.after(releaseMs, () => this.#removeReleased());
  }

  #removeReleased(): void {
    this.#removing = null;
    const count = Math.max(slice, Math.ceil(this.#released.length * share));
    for (const cgroup of this.#released.splice(0, count)) if (!removeCgroup(cgroup)) this.#occupied.add(cgroup);
    if (this.#released.length > 0) this.#removeLater();
    this.#sweepLater();
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
