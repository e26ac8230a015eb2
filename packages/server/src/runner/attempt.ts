import type { Clock, Timer } from "../kernel/clock.ts";
import { type ClaimNote, type Mark, markOf } from "./claim.ts";
import { type ClaimFile, dropClaim, forgetClaim, makeClaim, writeEnd } from "./claim-file.ts";
import type { RunnerIdentity } from "./identity.ts";
import type { RunnerLog } from "./log.ts";
import type { AttemptEnd, AttemptSpec, CancelCause, EndCause, Report, StopCause, StreamName } from "./messages.ts";
import type { Pipes } from "./pipes.ts";
import { claimFolder } from "./places.ts";
import { type ProcessId, readStat } from "./processes.ts";
import type { Scanner } from "./scanner.ts";
import { type StartedTask, startTask } from "./start-task.ts";
import { Stop } from "./stop.ts";
import { errorCode, isShortage } from "./system-error.ts";
import { type Exit, explainFailedStart } from "./task-process.ts";

/** How long an end that could not be written waits for the next try. */
export const endRetryMs = 5_000;

export interface AttemptTools {
  readonly dataDir: string;
  readonly runner: RunnerIdentity;
  readonly clock: Clock;
  readonly pipes: Pipes;
  readonly scanner: Scanner;
  readonly log: RunnerLog;
  readonly tell: (report: Report) => void;
  readonly hold: (until: Promise<unknown>) => void;
}

interface Limits {
  readonly mark: Mark | null;
  readonly timeoutMs: number | null;
  readonly graceMs: number;
}

/**
 * One attempt, from its order until it is forgotten.
 *
 *   starting   it is claimed, gets its pipes, its program is started. A cancel now means that the program never starts
 *              -> running, or ended; or it leaves: refused (claimed by another), returned (the system is short of something)
 *   running    its output is kept, its time limit counts. A cancel or the limit begins a stop: the cause goes into the claim,
 *              then signals go out. The first cause counts; whatever comes later can only shorten the grace
 *              -> draining, when the main process has ended, or a stop has given up on it
 *   draining   no cause is set any more. A stop goes on until nothing of the attempt is left, the pipes are emptied
 *              -> ended
 *   ended      the end is written, told, and told again on request. While it cannot be written it is kept here and tried again
 *              -> forgotten: the claim is gone, the output lies where it stays
 */
export class Attempt {
  readonly #id: string;
  readonly #tools: AttemptTools;
  #claimFile: ClaimFile | null = null;
  #cause: StopCause | null = null;
  #running: {
    readonly main: ProcessId;
    readonly mark: Mark | null;
    readonly at: number;
    readonly sinceMs: number;
  } | null = null;
  #hasMainEnded = false;
  #stop: Stop | null = null;
  /** What a stop left over. Without a stop there is nothing to wait for. */
  #stopped: Promise<readonly number[]> = Promise.resolve([]);
  readonly #givenUp = Promise.withResolvers<Exit>();
  #notes: Promise<void> = Promise.resolve();
  #end: AttemptEnd | null = null;
  #isWritten = false;
  #isTold = false;
  #isForgotten = false;
  #retry: Timer | null = null;
  readonly #settled = Promise.withResolvers<void>();
  #isSettled = false;

  constructor(id: string, tools: AttemptTools) {
    this.#id = id;
    this.#tools = tools;
  }

  /** Something would be lost, or be left half done, if the runner left now. */
  get isLive(): boolean {
    return !this.#isWritten || this.#isForgotten;
  }

  /** What is known of it at this moment, null while it is starting. */
  get report(): Report | null {
    if (this.#isTold) return { is: "ended", attempt: this.#id, end: this.#end! };
    return this.#running && { is: "started", attempt: this.#id, pid: this.#running.main.pid, at: this.#running.at };
  }

  /** Its fate is known: it is claimed, or told, or it has left. Until then nobody may take silence about it for an answer. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** Resolves when its fate is known. */
  get settled(): Promise<void> {
    return this.#settled.promise;
  }

  /** For one that has left this runner; may be repeated. */
  settle(): void {
    this.#isSettled = true;
    this.#settled.resolve();
  }

  /** Resolves when the attempt has ended, or with the report by which it leaves this runner. */
  async start(spec: AttemptSpec): Promise<Report | null> {
    let mark: Mark | null;
    let task: StartedTask | null;
    try {
      mark = markOf(spec.environment);
      if (!this.#claim(mark, spec.graceMs)) return { is: "refused", attempt: this.#id, why: "claimed" };
      task = await this.#startTask(spec);
    } catch (error) {
      if (isShortage(error) && this.#giveBack()) return { is: "returned", attempt: this.#id, why: errorCode(error) };
      return this.#endUnstarted("spawn_error", await explainFailedStart(error, spec));
    }
    if (task === null) return this.#endUnstarted("cancelled", null);
    return this.#follow(task, { mark, timeoutMs: spec.timeoutMs, graceMs: spec.graceMs });
  }

  /** A cancel came before the order to start, which is thereby used up. */
  async cancelUnstarted(cause: CancelCause): Promise<Report | null> {
    this.#cause = cause;
    try {
      if (!this.#claim(null, 0)) return { is: "refused", attempt: this.#id, why: "claimed" };
    } catch (error) {
      this.#logFailure("claim.failed", error);
    }
    return this.#endUnstarted(cause, null);
  }

  cancel(cause: CancelCause, graceMs: number): void {
    if (this.#running === null) this.#cause ??= cause;
    else this.#beginStop(cause, graceMs);
  }

  /** False while there is no end that could be forgotten. */
  async forget(): Promise<boolean> {
    if (!this.#isTold) return false;
    this.#isForgotten = true;
    this.#retry?.cancel();
    try {
      await forgetClaim(this.#tools.dataDir, this.#id);
    } catch (error) {
      this.#logFailure("forget.failed", error);
    }
    return true;
  }

  #claim(mark: Mark | null, graceMs: number): boolean {
    const { dataDir, runner } = this.#tools;
    this.#claimFile = makeClaim(dataDir, this.#id, { runner, mark, graceMs });
    if (this.#claimFile === null) return false;
    this.settle();
    return true;
  }

  #startTask(spec: AttemptSpec): Promise<StartedTask | null> {
    const { dataDir, clock, pipes, hold } = this.#tools;
    return startTask(spec, {
      folder: claimFolder(dataDir, this.#id),
      bytesMax: spec.outputBytesMax,
      onFailure: (stream, error) => this.#logFailure("output.failed", error, { stream }),
      isWanted: () => this.#cause === null,
      clock,
      pipes,
      hold,
    });
  }

  /** False when it stays after all: it was cancelled meanwhile, or its claim cannot be taken back. */
  #giveBack(): boolean {
    if (this.#cause !== null) return false;
    try {
      this.#claimFile?.close();
      if (this.#claimFile !== null) dropClaim(this.#tools.dataDir, this.#id, this.#tools.runner.id);
      this.#claimFile = null;
      return true;
    } catch (error) {
      this.#logFailure("claim.failed", error);
      return false;
    }
  }

  async #follow({ process, output, input }: StartedTask, limits: Limits): Promise<null> {
    const { clock, tell } = this.#tools;
    this.#running = { main: process.id, mark: limits.mark, at: clock.now(), sinceMs: clock.monotonicMs() };
    tell(this.report!);
    void this.#note({ process: process.id });
    const { timeoutMs } = limits;
    const limit = timeoutMs === null ? null : clock.after(timeoutMs, () => this.#beginStop("timeout", limits.graceMs));
    const exit = await Promise.race([process.exited, this.#givenUp.promise]);
    limit?.cancel();
    this.#hasMainEnded = true;
    this.#stop?.nudge();
    const remaining = await this.#stopped;
    const streams = await output.finish();
    input?.close();
    const cause = this.#cause ?? (exit.signal === null ? "exit" : "signal");
    const detail = remaining.length === 0 ? null : `still running after KILL: ${remaining.join(", ")}`;
    return this.#finish({ cause, ...exit, detail, ...streams });
  }

  #beginStop(cause: StopCause, graceMs: number): void {
    if (this.#stop !== null) return this.#stop.hasten(graceMs);
    const { main, mark } = this.#running!;
    if (this.#hasMainEnded || isZombie(main)) return;
    const { clock, scanner } = this.#tools;
    const stop = new Stop({ main, mark, since: main.startTime }, { graceMs, clock, scanner });
    this.#cause = cause;
    this.#stop = stop;
    this.#stopped = this.#note({ cause }).then(() => stop.run());
    void this.#stopped.then((remaining) => {
      if (remaining.length > 0) this.#givenUp.resolve({ exitCode: null, signal: null });
    });
  }

  /** A note that cannot be written costs only what would have been known if the runner had died. */
  #note(note: ClaimNote): Promise<void> {
    this.#notes = this.#notes
      .then(() => this.#claimFile?.add(note))
      .catch((error: unknown) => this.#logFailure("claim.failed", error));
    return this.#notes;
  }

  #endUnstarted(cause: EndCause, detail: string | null): Promise<null> {
    const nothing = { written: 0, cut: 0 };
    const how = this.#cause === null ? { cause, detail } : { cause: this.#cause, detail: null };
    return this.#finish({ ...how, exitCode: null, signal: null, stdout: nothing, stderr: nothing });
  }

  async #finish(how: Pick<AttemptEnd, "cause" | "exitCode" | "signal" | "detail" | StreamName>): Promise<null> {
    const { clock } = this.#tools;
    const ran = this.#running;
    this.#end = {
      ...how,
      pid: ran?.main.pid ?? null,
      startedAt: ran?.at ?? null,
      endedAt: clock.now(),
      durationMs: ran === null ? 0 : Math.round(clock.monotonicMs() - ran.sinceMs),
    };
    await this.#notes;
    this.#claimFile?.close();
    await this.#writeEnd();
    return null;
  }

  /** Told whether it could be written or not: a full disk holds up no run. */
  async #writeEnd(): Promise<void> {
    try {
      // where somebody else has claimed it meanwhile, the end is theirs to write
      if (this.#claimFile !== null || this.#claim(null, 0)) await writeEnd(this.#tools.dataDir, this.#id, this.#end!);
      this.#isWritten = true;
    } catch (error) {
      if (this.#isForgotten) return;
      if (!this.#isTold) this.#logFailure("end.failed", error);
      this.#retry = this.#tools.clock.after(endRetryMs, () => void this.#writeEnd());
    }
    if (this.#isTold) return;
    this.#isTold = true;
    this.#tools.tell(this.report!);
    this.settle();
  }

  #logFailure(event: string, error: unknown, fields: Readonly<Record<string, string>> = {}): void {
    this.#tools.log("warn", event, {
      attempt: this.#id,
      ...fields,
      error: error instanceof Error ? error.message : String(error),
    });
  }
}

/** Until its end has been told to this process, a child's pid is its own; unknown counts as running. */
function isZombie({ pid }: ProcessId): boolean {
  try {
    return readStat(pid)?.isZombie ?? true;
  } catch {
    return false;
  }
}
