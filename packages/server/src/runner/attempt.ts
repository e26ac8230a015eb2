import type { Timer } from "../kernel/time/clock.ts";
import {
  type AttemptState,
  type EarlyCancel,
  follow,
  reportOf,
  type RunningTask,
  type Stopping,
} from "./attempt-state.ts";
import type { AttemptTools } from "./attempt-tools.ts";
import { beginStop, causeOf, describeExit, describeStop, type StopNote } from "./attempt-stop.ts";
import { AttemptClaim } from "./attempt-claim.ts";
import { type Mark, markOf } from "./claims/claim.ts";
import type {
  AttemptEnd,
  AttemptSpec,
  CancelCause,
  EndCause,
  Report,
  StopCause,
  StreamName,
} from "./protocol/messages.ts";
import type { HeldOutput } from "./held-outputs.ts";
import { claimFolder } from "./places.ts";
import { isZombie } from "./processes/processes.ts";
import { type AttendedTask, type StartedTask, startTask } from "./processes/start-task.ts";
import { errorCode, isResourceExhausted } from "./system-error.ts";
import type { StartPlan } from "./users/plan-start.ts";
import type { Exit } from "./processes/children.ts";
import { explainFailedStart, identifyChild } from "./processes/task-process.ts";

/** Pause before an end that could not be written is tried again. */
export const endRetryMs = 5_000;
/** Pause before a stop that could not begin is tried again. */
const stopRetryMs = 1_000;

interface Attended extends AttendedTask {
  readonly mark: Mark | null;
  readonly spec: AttemptSpec;
}

/** Moves one attempt through its states (attempt-state.ts). */
export class Attempt {
  readonly #id: string;
  readonly #tools: AttemptTools;
  #state: AttemptState = { is: "starting", cancel: null };
  readonly #claim: AttemptClaim;
  readonly #givenUp = Promise.withResolvers<Exit>();
  readonly #accounted = Promise.withResolvers<void>();
  readonly #cancelled = Promise.withResolvers<null>();
  #output: HeldOutput | null = null;
  #retry: Timer | null = null;

  constructor(id: string, tools: AttemptTools) {
    this.#id = id;
    this.#tools = tools;
    this.#claim = new AttemptClaim(id, { ...tools, onFailure: (event, error) => this.#logFailure(event, error) });
  }

  /** Whether something would be lost or left half done if the runner ended now. */
  get isLive(): boolean {
    return !(this.#state.is === "ended" && this.#state.isWritten);
  }

  /** Whether the attempt may still open files for its task and its output. */
  get usesFiles(): boolean {
    return !["ended", "forgotten", "left"].includes(this.#state.is);
  }

  /** The attempt's current report; null while it is starting. */
  get report(): Report | null {
    return reportOf(this.#id, this.#state);
  }

  /**
   * Whether the attempt is claimed, reported, or has left. Until then, a list has to wait: it would lack the attempt
   * although the runner has it.
   */
  get isAccounted(): boolean {
    const { is } = this.#state;
    return this.#claim.isMade || (is !== "starting" && is !== "ending");
  }

  /** Resolves when the attempt is claimed, reported, or has left. */
  get accounted(): Promise<void> {
    return this.#accounted.promise;
  }

  /** Ends the runner's ownership of the attempt. */
  leave(): void {
    this.#enter({ is: "left" });
    this.#accounted.resolve();
  }

  /** Starts the attempt. Resolves with null when it has ended, or with the report that refuses or returns it. */
  async start(spec: AttemptSpec): Promise<Report | null> {
    let mark: Mark | null;
    let task: StartedTask | null;
    try {
      mark = markOf(spec.environment);
      if (!this.#makeClaim(mark, spec.graceMs)) return { is: "refused", attempt: this.#id, why: "claimed" };
      // orders that arrived together with this one are handled first: its cancel may be among them
      const plan = await this.#planStart(spec);
      task = plan === null ? null : await this.#startTask(plan, spec);
    } catch (error) {
      if ((isResourceExhausted(error) || this.#tools.arePlacesGone()) && this.#returnOrder())
        return { is: "returned", attempt: this.#id, why: errorCode(error) };
      return this.#endUnstarted("spawn_error", await explainFailedStart(error, spec));
    }
    if (task === null) return this.#endUnstarted("cancelled", null);
    return this.#follow(task, { mark, spec, ...(await task.attended) });
  }

  /** Cancels an attempt before its order to start arrives: that order is then refused. */
  async cancelUnstarted(cause: CancelCause): Promise<Report | null> {
    this.#enter({ is: "starting", cancel: { cause, graceMs: 0 } });
    try {
      if (!this.#makeClaim(null, 0)) return { is: "refused", attempt: this.#id, why: "claimed" };
    } catch (error) {
      this.#logFailure("claim.failed", error);
    }
    return this.#endUnstarted(cause, null);
  }

  cancel(cause: CancelCause, graceMs: number): void {
    const state = this.#state;
    if (state.is !== "starting") return this.#beginStop(cause, graceMs);
    const { cancel } = state;
    this.#enter({
      is: "starting",
      cancel: { cause: cancel?.cause ?? cause, graceMs: Math.min(graceMs, cancel?.graceMs ?? graceMs) },
    });
    this.#cancelled.resolve(null);
  }

  /** Forgets the attempt; returns false if it has not ended yet. */
  async forget(): Promise<boolean> {
    const state = this.#state;
    if (state.is !== "ended" && state.is !== "forgotten") return false;
    if (state.is === "ended") this.#enter({ is: "forgotten", end: state.end });
    this.#retry?.cancel();
    await this.#claim.forget(state.end);
    return true;
  }

  #enter(next: AttemptState): void {
    this.#state = follow(this.#state, next);
    if (!this.usesFiles) this.#output?.leave();
  }

  /** The cancel that came before the start was reported. */
  get #earlyCancel(): EarlyCancel | null {
    return this.#state.is === "starting" ? this.#state.cancel : null;
  }

  #makeClaim(mark: Mark | null, graceMs: number): boolean {
    const isMade = this.#claim.make({ mark, graceMs });
    if (isMade) this.#accounted.resolve();
    return isMade;
  }

  /** Plans the start. Returns null after a cancel, without waiting for a plan that takes long. */
  async #planStart(spec: AttemptSpec): Promise<StartPlan | null> {
    const planned = this.#tools.planStart(this.#id, spec);
    const plan = await Promise.race([planned, this.#cancelled.promise]);
    if (plan === null) void planned.then(({ discard }) => discard?.()).catch(() => {});
    return plan;
  }

  async #startTask(plan: StartPlan, spec: AttemptSpec): Promise<StartedTask | null> {
    const { dataDir, clock, cgroups, openFiles, hold } = this.#tools;
    const isWanted = (): boolean => this.#earlyCancel === null;
    // several starts may wait: the first one moves the runner on again
    while (cgroups !== null && cgroups.moving !== null && isWanted())
      await Promise.race([cgroups.moving, this.#cancelled.promise]);
    return startTask(plan, spec, {
      cgroups,
      openFiles,
      onCgroup: (cgroup) => this.#claim.noteCgroup(cgroup),
      folder: claimFolder(dataDir, this.#id),
      bytesMax: spec.outputBytesMax,
      onFailure: (stream, error) => this.#logFailure("output.failed", error, { stream }),
      isWanted,
      clock,
      hold: (until) => void (this.#output = hold(until)),
    });
  }

  /**
   * Returns the order to the daemon. False if the attempt must stay: it was cancelled meanwhile, or its claim cannot be
   * removed.
   */
  #returnOrder(): boolean {
    if (this.#earlyCancel !== null) return false;
    try {
      this.#claim.drop();
      return true;
    } catch (error) {
      this.#logFailure("claim.failed", error);
      return false;
    }
  }

  async #follow({ cgroup, at, sinceMs, exited }: StartedTask, attended: Attended): Promise<null> {
    const { clock, send } = this.#tools;
    const { main, mark, output, input, spec } = attended;
    const { timeoutMs, graceMs } = spec;
    const task = { main, mark, cgroup, at, sinceMs };
    const cancel = this.#earlyCancel;
    this.#enter({ is: "running", task });
    send(this.report!);
    this.#claim.noteProcess(main);
    if (cancel !== null) this.#beginStop(cancel.cause, cancel.graceMs);
    const limit = timeoutMs === null ? null : clock.after(timeoutMs, () => this.#beginStop("timeout", graceMs));
    const exit = await Promise.race([exited, this.#givenUp.promise]);
    limit?.cancel();
    let stopping = this.#state.is === "stopping" ? this.#state.stopping : null;
    const noted = stopping === null && spec.leftovers === "kill" ? describeExit(exit, task, clock) : null;
    if (noted !== null) stopping = this.#stop(task, { exit: noted }, graceMs);
    this.#enter({ is: "draining", task, stopping });
    stopping?.stop.lookNow();
    const left = await describeStop(stopping, noted, task);
    const kept = await output.finish();
    input?.close();
    const how = { cause: stopping?.cause ?? causeOf(exit), ...exit, ...left };
    return this.#finish({ ...how, ...kept }, task);
  }

  #beginStop(cause: StopCause, graceMs: number): void {
    const state = this.#state;
    if (state.is === "stopping" || state.is === "draining") return state.stopping?.stop.shortenGrace(graceMs);
    if (state.is !== "running" || isZombie(state.task.main)) return;
    const main = identifyChild(state.task.main);
    // without its start time the process cannot be stopped: the system lacks a resource to read it
    if (main === null) return void this.#tools.clock.after(stopRetryMs, () => this.#beginStop(cause, graceMs));
    const task = { ...state.task, main };
    const stopping = this.#stop(task, { cause }, graceMs);
    this.#enter({ is: "stopping", task, stopping });
    void stopping.remaining.then(({ length }) => {
      if (length > 0) this.#givenUp.resolve({ exitCode: null, signal: null });
    });
  }

  #stop(task: RunningTask, why: StopNote, graceMs: number): Stopping {
    return beginStop(task, why, { ...this.#tools, graceMs, note: (note) => this.#claim.note(note) });
  }

  #endUnstarted(cause: EndCause, detail: string | null): Promise<null> {
    const nothing = { written: 0, cut: 0 };
    const cancel = this.#earlyCancel;
    const how = cancel === null ? { cause, detail } : { cause: cancel.cause, detail: null };
    return this.#finish({ ...how, exitCode: null, signal: null, stdout: nothing, stderr: nothing }, null);
  }

  async #finish(
    how: Pick<AttemptEnd, "cause" | "exitCode" | "signal" | "detail" | StreamName> &
      Partial<Pick<AttemptEnd, "exitedAt" | "durationMs" | "orderBytes">>,
    task: RunningTask | null,
  ): Promise<null> {
    const { clock } = this.#tools;
    const end: AttemptEnd = {
      pid: task?.main.pid ?? null,
      startedAt: task?.at ?? null,
      endedAt: clock.now(),
      durationMs: task === null ? 0 : Math.round(clock.monotonicMs() - task.sinceMs),
      ...how,
    };
    this.#enter({ is: "ending", end });
    await this.#writeEnd(end);
    if (task !== null && task.cgroup !== null) this.#tools.cgroups?.release(task.cgroup);
    return null;
  }

  async #writeEnd(end: AttemptEnd): Promise<void> {
    let isWritten = false;
    try {
      await this.#claim.writeEnd(end);
      isWritten = true;
    } catch (error) {
      if (this.#state.is === "ending") this.#logFailure("end.failed", error);
    }
    // the daemon recorded the end meanwhile
    if (this.#state.is === "forgotten") return;
    if (!isWritten) this.#retry = this.#tools.clock.after(endRetryMs, () => void this.#writeEnd(end));
    const isFirstTry = this.#state.is === "ending";
    this.#enter({ is: "ended", end, isWritten });
    if (!isFirstTry) return;
    this.#tools.send(this.report!);
    this.#accounted.resolve();
  }

  #logFailure(event: string, error: unknown, fields: Readonly<Record<string, string>> = {}): void {
    this.#tools.log("warn", event, {
      attempt: this.#id,
      ...fields,
      error: error instanceof Error ? error.message : String(error),
    });
  }
}
