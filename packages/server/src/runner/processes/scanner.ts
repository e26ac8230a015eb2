import { readdir, readFile } from "node:fs/promises";
import { type Clock, soon, within } from "../../kernel/time/clock.ts";
import { type Mark, markOf } from "../claims/claim.ts";
import { type ProcessStat, readStat } from "./processes.ts";
import { isResourceExhausted } from "../system-error.ts";

export interface SeenProcess extends ProcessStat {
  readonly mark: Mark | null;
}

/** The number of processes to read in one turn of the event loop. */
const slice = 64;
/** Reading the environment of a process that hangs in the kernel may never end. */
const environmentTimeoutMs = 1_000;

/** Scans the machine's processes. One scan serves every caller that asked before it began. */
export class Scanner {
  readonly #clock: Clock;
  /** Processes whose environment is being read, perhaps for an earlier scan that continued without it. */
  readonly #reading = new Set<number>();
  #waiting: { since: number; resolve: (seen: readonly SeenProcess[]) => void; reject: (error: unknown) => void }[] = [];
  #isScanning = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Finds the processes that started at `since` (ticks after boot) or later, including zombies. */
  scan(since: number): Promise<readonly SeenProcess[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly SeenProcess[]>();
    this.#waiting.push({ since, resolve, reject });
    if (!this.#isScanning) void this.#scanForAll();
    return promise;
  }

  async #scanForAll(): Promise<void> {
    this.#isScanning = true;
    while (this.#waiting.length > 0) {
      const served = this.#waiting;
      this.#waiting = [];
      try {
        const seen = await this.#readProcesses(Math.min(...served.map(({ since }) => since)));
        for (const { resolve } of served) resolve(seen);
      } catch (error) {
        for (const { reject } of served) reject(error);
      }
    }
    this.#isScanning = false;
  }

  async #readProcesses(since: number): Promise<readonly SeenProcess[]> {
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

  /**
   * Reads the mark of a process. Null for a process of another user, and for one that cleared or overwrote its
   * environment.
   */
  async #readMark(pid: number): Promise<Mark | null> {
    if (this.#reading.has(pid)) return null;
    this.#reading.add(pid);
    const reading = readEnvironment(pid).finally(() => this.#reading.delete(pid));
    const environment = await within(this.#clock, environmentTimeoutMs, reading);
    return environment === undefined ? null : parseMark(environment);
  }
}

/**
 * Reads the environment of a process. Empty if it may not be read, or the process is gone. Throws if it cannot know: an
 * unknown process must not count as gone.
 */
async function readEnvironment(pid: number): Promise<string> {
  try {
    return await readFile(`/proc/${pid}/environ`, "utf8");
  } catch (error) {
    if (isResourceExhausted(error)) throw error;
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
