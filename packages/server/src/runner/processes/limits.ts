import { duplicateFrom, readOpenFileLimits, setOpenFileLimits } from "./libc.ts";

/** A table of open files is copied at each start, up to its highest number. */
const movedFromMax = 16_384;

/**
 * How many files this process and its tasks may have open. A task gets the soft limit that the daemon was started with; the
 * runner itself uses the hard limit. The soft one is set for the moment of each start. Files with lower numbers can be opened
 * meanwhile, so those that stay open for long get higher ones.
 */
export class OpenFiles {
  /** The limit of tasks, and of what the runner needs to start and observe them. */
  readonly softMax: number;
  /** An administrator may change it at any time. */
  #hardMax: number;

  /** `softMax` is null for the limit of this process. */
  constructor(softMax: number | null) {
    const limits = readOpenFileLimits();
    this.#hardMax = limits.hard;
    this.softMax = Math.min(softMax ?? limits.hard, limits.hard);
    setOpenFileLimits({ soft: limits.hard, hard: limits.hard });
  }

  /** The number of files that `moveUp` can move. */
  get movableMax(): number {
    return this.softMax > movedFromMax ? 0 : Math.max(0, this.#hardMax - this.softMax);
  }

  /** Starts a process with the soft limit of tasks. */
  start<TStarted>(begin: () => TStarted): TStarted {
    if (this.softMax === this.#hardMax) return begin();
    this.#setSoft(this.softMax);
    try {
      return begin();
    } finally {
      this.#setSoft(Infinity);
    }
  }

  /** Never throws: a program that has started must not be reported as one that could not be started. */
  #setSoft(max: number): void {
    try {
      this.#hardMax = readOpenFileLimits().hard;
      setOpenFileLimits({ soft: Math.min(max, this.#hardMax), hard: this.#hardMax });
    } catch {
      // the hard limit was changed between these two calls: the next start sets the limit again
    }
  }

  /** Duplicates a file to a number above the soft limit, so that it no longer counts there; null if none is free. */
  moveUp(fd: number): number | null {
    if (this.movableMax === 0) return null;
    try {
      return duplicateFrom(fd, this.softMax);
    } catch {
      return null;
    }
  }
}
