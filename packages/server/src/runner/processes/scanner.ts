import { readdir } from "node:fs/promises";
import { type Clock, soon } from "../../kernel/time/clock.ts";
import type { Mark } from "../claims/claim.ts";
import { MarkReader, type ReadEnvironment } from "./mark-reader.ts";
import { type ProcessStat, readStat } from "./processes.ts";

export interface SeenProcess extends ProcessStat {
  readonly mark: Mark | null;
}

/** The number of processes to read in one turn of the event loop. */
const slice = 64;

/** Scans the machine's processes. One scan serves every caller that asked before it began. */
export class Scanner {
  readonly #marks: MarkReader;
  #waiting: { since: number; resolve: (seen: readonly SeenProcess[]) => void; reject: (error: unknown) => void }[] = [];
  #isScanning = false;

  constructor(clock: Clock, readEnvironment?: ReadEnvironment) {
    this.#marks = new MarkReader(clock, readEnvironment);
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
      for (const stat of young) seen.push({ ...stat, mark: await this.#marks.readMark(stat.pid) });
      await new Promise<void>((resolve) => soon(resolve));
    }
    return seen;
  }
}
