import { readdir, readFile } from "node:fs/promises";
import { type Clock, soon } from "../../kernel/time/clock.ts";
import { type Mark, markOf } from "../claims/claim.ts";
import { type ProcessStat, readStat } from "./processes.ts";
import { isShortage } from "../system-error.ts";

export interface SeenProcess extends ProcessStat {
  readonly mark: Mark | null;
}

/** Processes looked at before other work has its turn. */
const slice = 64;
/** The environment of a process that hangs in the kernel may take for ever to read. */
const environmentWaitMs = 1_000;

/** Looks at the machine's processes. A look begins after it was asked for, and serves all who asked before it began. */
export class Scanner {
  readonly #clock: Clock;
  /** Processes whose environment is still being read, from a look that went on without it. */
  readonly #stuck = new Set<number>();
  #waiting: { since: number; resolve: (seen: readonly SeenProcess[]) => void; reject: (error: unknown) => void }[] = [];
  #isLooking = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The processes that started at `since` (ticks after boot) or later, zombies included. */
  look(since: number): Promise<readonly SeenProcess[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly SeenProcess[]>();
    this.#waiting.push({ since, resolve, reject });
    if (!this.#isLooking) void this.#lookForAll();
    return promise;
  }

  async #lookForAll(): Promise<void> {
    this.#isLooking = true;
    while (this.#waiting.length > 0) {
      const served = this.#waiting;
      this.#waiting = [];
      try {
        const seen = await this.#scan(Math.min(...served.map(({ since }) => since)));
        for (const { resolve } of served) resolve(seen);
      } catch (error) {
        for (const { reject } of served) reject(error);
      }
    }
    this.#isLooking = false;
  }

  async #scan(since: number): Promise<readonly SeenProcess[]> {
    const pids = (await readdir("/proc")).map(Number).filter(Number.isInteger);
    const seen: SeenProcess[] = [];
    for (let from = 0; from < pids.length; from += slice) {
      const young = pids
        .slice(from, from + slice)
        .map(readStat)
        .filter((stat) => stat !== null)
        .filter((stat) => stat.startTime >= since);
      seen.push(...(await Promise.all(young.map(async (stat) => ({ ...stat, mark: await this.#readMark(stat.pid) })))));
      await new Promise<void>((resolve) => soon(resolve));
    }
    return seen;
  }

  /** Null for a process of another user, and for one that cleared or overwrote its environment. */
  #readMark(pid: number): Promise<Mark | null> {
    if (this.#stuck.has(pid)) return Promise.resolve(null);
    const { promise, resolve, reject } = Promise.withResolvers<Mark | null>();
    const timer = this.#clock.after(environmentWaitMs, () => {
      this.#stuck.add(pid);
      resolve(null);
    });
    void readEnvironment(pid)
      .then((environment) => resolve(parseMark(environment)), reject)
      .finally(() => {
        timer.cancel();
        this.#stuck.delete(pid);
      });
    return promise;
  }
}

/** Empty where it may not be read, or is there no more. Throws when it cannot be known: that must never pass for gone. */
async function readEnvironment(pid: number): Promise<string> {
  try {
    return await readFile(`/proc/${pid}/environ`, "utf8");
  } catch (error) {
    if (isShortage(error)) throw error;
    return "";
  }
}

export function parseMark(environment: string): Mark | null {
  return markOf(
    Object.fromEntries(
      environment
        .split("\0")
        .filter((line) => line.startsWith("BELFRY_"))
        .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
    ),
  );
}
