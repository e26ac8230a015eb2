import { Attempt } from "./attempt.ts";
import type { AttemptTools } from "./attempt-tools.ts";
import { Claims } from "./claims/claims.ts";
import { HeldOutputs } from "./held-outputs.ts";
import type { RunnerIdentity } from "./identity.ts";
import { type AttemptSpec, type CancelCause, type Order, type Report, startVersions } from "./protocol/messages.ts";

/**
 * The number of files that an attempt can have open at once: three pipes, a kept file of each stream, and their order. A
 * compaction of the order opens one more for a moment.
 */
const filesPerAttempt = 6;
const filesPerLeftover = 2;
/** Reserved for the runner itself: with every attempt slot taken it can still read orders, write ends and scan processes. */
const ownFiles = 64;

export interface RunnerOptions extends Omit<AttemptTools, "hold" | "claims"> {
  readonly runner: RunnerIdentity;
  /** Called when the runner may have become idle, or is no longer idle. */
  readonly onChange: () => void;
}

/** Handles orders, and keeps each of its attempts until the daemon orders it to forget the attempt. */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #tools: AttemptTools;
  readonly #attempts = new Map<string, Attempt>();
  readonly #held: HeldOutputs;
  #isCrowded = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
    const claims = new Claims(options.dataDir, options.runner);
    this.#held = new HeldOutputs(() => {
      this.#reportLeftovers();
      options.onChange();
    });
    this.#tools = { ...options, claims, hold: this.#held.hold };
  }

  /** Whether there is no attempt, and no pipe that a remaining process may still write to. */
  get isIdle(): boolean {
    return this.#attempts.size === 0 && this.#held.open === 0;
  }

  /** Whether something would be lost with this process. */
  get isNeeded(): boolean {
    return this.#held.open > 0 || this.#countLive() > 0;
  }

  handle(order: Order): void {
    switch (order.do) {
      case "start":
        return this.#start(order.attempt, order.version, order.spec);
      case "cancel":
        return this.#cancel(order.attempt, order.cause, order.graceMs);
      case "list":
        return void this.#list();
      case "forget":
        return void this.#forget(order.attempt);
      case "prepare":
        return this.#options.cgroups?.prepare();
    }
  }

  #start(id: string, version: number, spec: AttemptSpec): void {
    const known = this.#attempts.get(id);
    if (known !== undefined) return this.#sendReportOf(known);
    const { send } = this.#options;
    if (!startVersions.includes(version)) return send({ is: "refused", attempt: id, why: "version" });
    if (!this.#hasFreeFiles()) return send({ is: "returned", attempt: id, why: "EMFILE" });
    void this.#take(id, (attempt) => attempt.start(spec));
  }

  #cancel(id: string, cause: CancelCause, graceMs: number): void {
    const known = this.#attempts.get(id);
    if (known === undefined) return void this.#take(id, (attempt) => attempt.cancelUnstarted(cause));
    known.cancel(cause, graceMs);
    if (known.report?.is === "ended") this.#sendReportOf(known);
  }

  /**
   * Reports a list. It names every attempt, or the daemon would take this runner for idle and disconnect it, and the
   * reports that follow would be lost. The daemon orders an unclaimed attempt again if a list does not name it. So the list waits for
   * attempts that are neither claimed nor reported yet.
   */
  async #list(): Promise<void> {
    for (let open = this.#listUnaccounted(); open.length > 0; open = this.#listUnaccounted())
      await Promise.all(open.map(({ accounted }) => accounted));
    for (const [id, { report }] of this.#attempts) this.#options.send(report ?? { is: "claimed", attempt: id });
    this.#options.send({ is: "listed" });
    this.#reportLeftovers();
  }

  #listUnaccounted(): readonly Attempt[] {
    return [...this.#attempts.values()].filter(({ isAccounted }) => !isAccounted);
  }

  async #forget(id: string): Promise<void> {
    if (!(await this.#attempts.get(id)?.forget())) return;
    this.#attempts.delete(id);
    this.#reportLeftovers();
    this.#options.onChange();
  }

  async #take(id: string, begin: (attempt: Attempt) => Promise<Report | null>): Promise<void> {
    const attempt = new Attempt(id, this.#tools);
    this.#attempts.set(id, attempt);
    this.#options.onChange();
    const refusal = await begin(attempt);
    if (refusal === null) return;
    this.#attempts.delete(id);
    this.#options.send(refusal);
    attempt.leave();
    this.#options.onChange();
  }

  #sendReportOf({ report }: Attempt): void {
    if (report !== null) this.#options.send(report);
  }

  /** Outputs of leftovers have numbers of their own, as long as there are some. */
  #hasFreeFiles(): boolean {
    const { softMax, movableMax } = this.#options.openFiles;
    const unmoved = Math.max(0, this.#held.leftovers * filesPerLeftover - movableMax);
    return (this.#countActive() + 1) * filesPerAttempt + unmoved + ownFiles <= softMax;
  }

  /** Warns at half of the number of leftovers with which no task could start. */
  #reportLeftovers(): void {
    const { softMax, movableMax } = this.#options.openFiles;
    const max = Math.floor((softMax - ownFiles - filesPerAttempt + movableMax) / filesPerLeftover);
    const held = this.#held.leftovers;
    const isCrowded = held * 2 >= max;
    if (isCrowded && !this.#isCrowded) this.#options.log("warn", "outputs.held", { held, max });
    if (isCrowded || this.#isCrowded) this.#options.send({ is: "held", held, max });
    this.#isCrowded = isCrowded;
  }

  #countActive(): number {
    let count = 0;
    for (const { usesFiles } of this.#attempts.values()) if (usesFiles) count++;
    return count;
  }

  #countLive(): number {
    return [...this.#attempts.values()].filter(({ isLive }) => isLive).length;
  }
}
