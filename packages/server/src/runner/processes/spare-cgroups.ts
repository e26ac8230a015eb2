import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Clock, Timer } from "../../kernel/time/clock.ts";

const sparesMax = 100;
const refillMs = 200;

/** Empty cgroups that are created ahead, as many as were taken lately: in a burst of starts, nobody waits for them. */
export class SpareCgroups {
  readonly #base: string;
  readonly #clock: Pick<Clock, "after">;
  readonly #spares: string[] = [];
  #made = 0;
  #taken = 0;
  #refilling: Timer | null = null;

  constructor(base: string, clock: Pick<Clock, "after">) {
    this.#base = base;
    this.#clock = clock;
  }

  /** Returns an empty cgroup. Creating one takes less time than a trip through the thread pool. */
  take(): string {
    this.#taken++;
    this.#refilling ??= this.#clock.after(refillMs, () => this.#refill());
    return this.#spares.pop() ?? this.#create();
  }

  /** Forgets the spares, which somebody may have removed. */
  forget(): void {
    this.#spares.length = 0;
  }

  close(): void {
    this.#refilling?.cancel();
  }

  #refill(): void {
    this.#refilling = null;
    const wanted = Math.min(this.#taken, sparesMax);
    this.#taken = 0;
    try {
      while (this.#spares.length < wanted) this.#spares.push(this.#create());
    } catch {
      // whoever takes the next one gets the error
    }
  }

  #create(): string {
    const cgroup = join(this.#base, String(this.#made++));
    mkdirSync(cgroup);
    return cgroup;
  }
}
