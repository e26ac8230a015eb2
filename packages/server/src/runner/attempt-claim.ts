import type { Timer } from "../kernel/time/clock.ts";
import type { AttemptTools } from "./attempt-tools.ts";
import type { ClaimHead, ClaimNote } from "./claims/claim.ts";
import type { ClaimFile } from "./claims/claim-file.ts";
import { forgetClaim } from "./claims/forget-claim.ts";
import type { ProcessId } from "./processes/processes.ts";
import type { AttemptEnd } from "./protocol/messages.ts";

/**
 * How long an end waits to be flushed to the disk. A daemon that is connected records it long before. The flush is for
 * a power failure while no daemon is connected.
 */
const endFlushMs = 1_000;

export interface AttemptClaimOptions extends Pick<AttemptTools, "dataDir" | "claims" | "clock"> {
  readonly onFailure: (event: string, error: unknown) => void;
}

/**
 * The claim of one attempt, and what it notes. A note that cannot be written does not stop the attempt, because only
 * the recovery after the runner's death reads notes.
 */
export class AttemptClaim {
  readonly #id: string;
  readonly #options: AttemptClaimOptions;
  #file: ClaimFile | null = null;
  /** Notes are added one after the other. */
  #notes: Promise<void> = Promise.resolve();
  #isEndWritten = false;
  #flush: Timer | null = null;
  #forgetting: Promise<void> | null = null;

  constructor(id: string, options: AttemptClaimOptions) {
    this.#id = id;
    this.#options = options;
  }

  get isMade(): boolean {
    return this.#file !== null;
  }

  /** Claims the attempt; returns false if another runner has claimed it. */
  make(head: Omit<ClaimHead, "runner">): boolean {
    this.#file = this.#options.claims.make(this.#id, head);
    return this.isMade;
  }

  drop(): void {
    if (this.#file === null) return;
    this.#options.claims.drop(this.#file);
    this.#file = null;
  }

  /** Notes the cgroup right before the start. */
  noteCgroup(cgroup: string): void {
    this.#noteNow({ cgroup });
  }

  /** Notes the process in the turn of its start. */
  noteProcess(process: ProcessId): void {
    this.#noteNow({ process });
  }

  #noteNow(note: ClaimNote): void {
    try {
      this.#file?.addNow(note);
    } catch (error) {
      this.#options.onFailure("claim.failed", error);
    }
  }

  note(note: ClaimNote): Promise<void> {
    this.#notes = this.#notes
      .then(() => this.#file?.add(note))
      .catch((error: unknown) => this.#options.onFailure("claim.failed", error));
    return this.#notes;
  }

  /** Writes the end. Claims the attempt if that failed before; if another runner has claimed it, that one writes it. */
  async writeEnd(end: AttemptEnd): Promise<void> {
    await this.#notes;
    if (this.#file !== null || this.make({ mark: null, graceMs: 0 })) await this.#file?.add({ end });
    this.#isEndWritten = true;
    if (this.#forgetting !== null) return;
    this.#flush = this.#options.clock.after(endFlushMs, () => {
      this.#file?.flush().catch((error: unknown) => this.#options.onFailure("end.failed", error));
    });
  }

  /** Removes the claim, once: the order may be repeated. */
  forget(end: AttemptEnd): Promise<void> {
    this.#flush?.cancel();
    this.#forgetting ??= this.#remove(end).catch((error: unknown) => this.#options.onFailure("forget.failed", error));
    return this.#forgetting;
  }

  /** The claim can be used again if its file is complete, so that nothing more is written to it. */
  async #remove({ stdout, stderr }: AttemptEnd): Promise<void> {
    const { claims, dataDir } = this.#options;
    const removeAll = (): Promise<void> => forgetClaim(dataDir, this.#id);
    if (this.#file === null || !this.#isEndWritten) return removeAll();
    if (stdout.written + stderr.written === 0) return claims.forget(this.#file).catch(removeAll);
    const isKept = stdout.written > stdout.cut || stderr.written > stderr.cut;
    return isKept ? claims.forgetWithOutput(this.#file).catch(removeAll) : removeAll();
  }
}
