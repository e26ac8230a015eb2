import { Attempt, type AttemptTools } from "./attempt.ts";
import { type AttemptSpec, type CancelCause, type Order, type Report, startVersion } from "./protocol/messages.ts";

/** Files an attempt can have open at once: two pipes, two kept outputs, two for its standard input. */
const filesPerAttempt = 6;
const filesPerLeftover = 2;
/** Files the runner needs itself, so that a full house still hears its daemon, writes ends and looks at processes. */
const ownFiles = 64;

export interface RunnerOptions extends Omit<AttemptTools, "hold"> {
  readonly openFilesMax: number;
  /** Something that kept the runner alive may be over. */
  readonly onChange: () => void;
}

/** Answers orders, and holds every attempt that is its own until the daemon lets it be forgotten. */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #tools: AttemptTools;
  readonly #attempts = new Map<string, Attempt>();
  /** Tasks whose pipes somebody still holds. */
  #held = 0;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#tools = { ...options, hold: (until) => void this.#hold(until) };
  }

  /** Nothing here has to be waited for: no attempt, and no pipe that a process left behind may still write to. */
  get isIdle(): boolean {
    return this.#attempts.size === 0 && this.#held === 0;
  }

  /** Something would be lost with this process. */
  get isNeeded(): boolean {
    return this.#held > 0 || this.#countLive() > 0;
  }

  obey(order: Order): void {
    switch (order.do) {
      case "start":
        return this.#start(order.attempt, order.version, order.spec);
      case "cancel":
        return this.#cancel(order.attempt, order.cause, order.graceMs);
      case "list":
        return void this.#list();
      case "forget":
        return void this.#forget(order.attempt);
    }
  }

  #start(id: string, version: number, spec: AttemptSpec): void {
    const known = this.#attempts.get(id);
    if (known !== undefined) return this.#tellOf(known);
    const { tell } = this.#options;
    if (version !== startVersion) return tell({ is: "refused", attempt: id, why: "version" });
    if (!this.#hasRoom()) return tell({ is: "returned", attempt: id, why: "EMFILE" });
    void this.#take(id, (attempt) => attempt.start(spec));
  }

  #cancel(id: string, cause: CancelCause, graceMs: number): void {
    const known = this.#attempts.get(id);
    if (known === undefined) return void this.#take(id, (attempt) => attempt.cancelUnstarted(cause));
    known.cancel(cause, graceMs);
    if (known.report?.is === "ended") this.#tellOf(known);
  }

  /**
   * Silence about an attempt that nobody has claimed says that nothing of it is here, and lets it be ordered elsewhere. So
   * the list waits for those that are neither claimed nor told yet.
   */
  async #list(): Promise<void> {
    for (let open = this.#listUnaccounted(); open.length > 0; open = this.#listUnaccounted())
      await Promise.all(open.map(({ accounted }) => accounted));
    for (const attempt of this.#attempts.values()) this.#tellOf(attempt);
    this.#options.tell({ is: "listed" });
  }

  #listUnaccounted(): readonly Attempt[] {
    return [...this.#attempts.values()].filter(({ isAccounted }) => !isAccounted);
  }

  async #forget(id: string): Promise<void> {
    if (!(await this.#attempts.get(id)?.forget())) return;
    this.#attempts.delete(id);
    this.#options.onChange();
  }

  async #take(id: string, begin: (attempt: Attempt) => Promise<Report | null>): Promise<void> {
    const attempt = new Attempt(id, this.#tools);
    this.#attempts.set(id, attempt);
    this.#options.onChange();
    const leaves = await begin(attempt);
    if (leaves === null) return;
    this.#attempts.delete(id);
    this.#options.tell(leaves);
    attempt.leave();
    this.#options.onChange();
  }

  #tellOf({ report }: Attempt): void {
    if (report !== null) this.#options.tell(report);
  }

  #hasRoom(): boolean {
    const live = this.#countLive();
    const leftovers = Math.max(0, this.#held - live);
    return (live + 1) * filesPerAttempt + leftovers * filesPerLeftover + ownFiles <= this.#options.openFilesMax;
  }

  #countLive(): number {
    return [...this.#attempts.values()].filter(({ isLive }) => isLive).length;
  }

  async #hold(until: Promise<unknown>): Promise<void> {
    this.#held++;
    await until;
    this.#held--;
    this.#options.onChange();
  }
}
