import { readFile } from "node:fs/promises";
import { type Clock, within } from "../../kernel/time/clock.ts";
import { type Mark, markOf } from "../claims/claim.ts";
import { isResourceExhausted } from "../system-error.ts";

export type ReadEnvironment = (pid: number) => Promise<string>;

/** Reading the environment of a process that hangs in the kernel may never end. */
const readTimeoutMs = 1_000;
/** Each read that never ends keeps one of the four threads of Node's pool. The others are for everything else. */
const unendedMax = 2;

/** Reads the marks of processes, one after the other. */
export class MarkReader {
  readonly #clock: Clock;
  readonly #read: ReadEnvironment;
  /** The processes whose environment is being read, perhaps since long ago. */
  readonly #reading = new Set<number>();

  constructor(clock: Clock, read: ReadEnvironment = readEnvironment) {
    this.#clock = clock;
    this.#read = read;
  }

  /**
   * Reads the mark of a process. Null for a process of another user, for one that cleared or overwrote its environment,
   * and while the reads of two others do not end.
   */
  async readMark(pid: number): Promise<Mark | null> {
    if (this.#reading.has(pid) || this.#reading.size >= unendedMax) return null;
    this.#reading.add(pid);
    const reading = this.#read(pid).finally(() => this.#reading.delete(pid));
    const environment = await within(this.#clock, readTimeoutMs, reading);
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
