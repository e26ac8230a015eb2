import type { AnswerOf, OperationById, Run, RunFailures } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller, QueryOf } from "../caller.ts";
import { findOutcomeWith, type Settlement } from "../find-outcome.ts";
import type { CallOptions, CreateOptions } from "../options.ts";
import { readOutput } from "../output.ts";
import type { OutputItem } from "../output-item.ts";
import { type OutputLine, readOutputLines } from "../output-lines.ts";
import type { PagePromise } from "../page.ts";
import { waitForRun } from "../wait-for-run.ts";

/** The answer of `GET /v1/runs`. */
export type RunList = AnswerOf<OperationById<"runs.list">>;
/** The query of `GET /v1/failures`. */
export type RunFailuresQuery = QueryOf<"runs.failures">;
/** The answer of `GET /v1/runs/{id}/attempts`. */
export type RunAttemptList = AnswerOf<OperationById<"runs.attempts">>;
/** The query of `GET /v1/runs`. */
export type RunListQuery = QueryOf<"runs.list">;
/** The query of `GET /v1/runs/{id}/output`. */
export type OutputQuery = QueryOf<"runs.output">;
/** Selects the current output of one stream. */
export type RawOutputQuery = Pick<OutputQuery, "attempt" | "offset" | "tail"> & {
  readonly stream?: "stdout" | "stderr" | undefined;
};

/** Runs: the history, and the queued and active runs. */
export class RunsApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Lists runs, newest first, 100 per page unless `limit` is given. `GET /v1/runs` */
  list(query?: RunListQuery, options?: CallOptions): PagePromise<RunList> {
    return this.#caller.list("runs.list", { query, options });
  }

  /**
   * Returns one run. `reason_text` explains its result in a sentence. `GET /v1/runs/{id}`
   *
   * @throws {@link NotFoundError}
   */
  get(id: string, options?: CallOptions): ApiPromise<Run> {
    return this.#caller.call("runs.get", { params: { id }, options });
  }

  /**
   * Yields the output of one attempt in pieces, then one `end` item. Default: both streams of the last attempt, in the order
   * in which Belfry read them. `tail` and `since` start later. With `follow`, it continues while the attempt runs, and
   * reconnects if the connection breaks. `GET /v1/runs/{id}/output`
   *
   * ```ts
   * for await (const item of client.runs.output(run.id, { follow: true })) {
   *   if (item.kind === "output") process[item.stream].write(item.bytes);
   * }
   * ```
   *
   * @throws {@link NotFoundError}
   * @throws {@link AbortError} if `signal` is aborted before the `end` item
   */
  output(id: string, query: OutputQuery = {}, options: CallOptions = {}): AsyncGenerator<OutputItem, void, undefined> {
    return readOutput(this.#caller, { id, query, options });
  }

  /**
   * Yields the output of one attempt in lines, each when it is complete. Takes the same query as `output`.
   *
   * ```ts
   * for await (const { time, text } of client.runs.outputLines(run.id, { tail: 20 })) console.log(time, text);
   * ```
   *
   * @throws {@link NotFoundError}
   * @throws {@link AbortError} if `signal` is aborted before the end of the output
   */
  outputLines(id: string, query?: OutputQuery, options?: CallOptions): AsyncGenerator<OutputLine, void, undefined> {
    return readOutputLines(this.output(id, query, options));
  }

  /** Returns the current bytes of one stream, without dropped bytes. Default: `stdout` of the last attempt. */
  outputBytes(id: string, query?: RawOutputQuery, options?: CallOptions): ApiPromise<Uint8Array> {
    // a copy, which the caller may change
    return this.#caller.raw("runs.output", { params: { id }, query, options }, (body) => body.slice());
  }

  /** Returns the same bytes as `outputBytes`, decoded as UTF-8. */
  outputText(id: string, query?: RawOutputQuery, options?: CallOptions): ApiPromise<string> {
    return this.#caller.raw("runs.output", { params: { id }, query, options }, (body) =>
      new TextDecoder().decode(body),
    );
  }

  /**
   * Waits until a run has ended, with all its attempts, and returns it. A run that failed is returned too: check `outcome`.
   * Waits by the event stream, and through restarts of the daemon. Without a `signal`, it waits without a limit.
   *
   * ```ts
   * const run = await client.runs.wait(id, { signal: AbortSignal.timeout(600_000) });
   * if (run.outcome !== "success") console.error(`The run ${run.reason_text}.`);
   * ```
   *
   * @throws {@link NotFoundError}
   * @throws {@link AbortError} if `signal` is aborted before the end; the run continues
   */
  wait(id: string, options?: CallOptions): Promise<Run> {
    return waitForRun(this.#caller, id, options);
  }

  /**
   * Lists the attempts of a run, oldest first. `GET /v1/runs/{id}/attempts`
   *
   * @throws {@link NotFoundError}
   */
  attempts(id: string, options?: CallOptions): ApiPromise<RunAttemptList> {
    return this.#caller.call("runs.attempts", { params: { id }, options });
  }

  /**
   * Lists the tasks with runs that failed since a time, the newest failure first. However often one task fails, every other
   * one is listed too. `GET /v1/failures`
   *
   * @example
   * ```ts
   * const since = new Date(Date.now() - 86_400_000).toISOString();
   * for (const { last, failures } of (await client.runs.failures({ since })).tasks)
   *   console.log(`${last.task_name} failed ${failures} times, the last time at ${last.ended_at}`);
   * ```
   */
  failures(query: RunFailuresQuery, options?: CallOptions): ApiPromise<RunFailures> {
    return this.#caller.call("runs.failures", { query, options });
  }

  /**
   * Cancels a run: SIGTERM, then SIGKILL after the task's `kill_grace`. A second cancel skips the grace period. `POST /v1/runs/{id}/cancel`
   *
   * @throws {@link NotFoundError}
   * @throws {@link ConflictError} if the run has ended
   */
  cancel(id: string, options?: CallOptions): ApiPromise<Run> {
    const findOutcome = () => findOutcomeWith(this.get(id), decideCancel);
    return this.#caller.call("runs.cancel", { params: { id }, options, findOutcome });
  }

  /**
   * Runs the same task again, and returns the new run. `POST /v1/runs/{id}/rerun`
   *
   * @throws {@link NotFoundError}
   * @throws {@link ConflictError} if the task is deleted or not ready; no run is created
   */
  rerun(id: string, options?: CreateOptions): ApiPromise<Run> {
    return this.#caller.call("runs.rerun", { params: { id }, options });
  }
}

const uncancelled: ReadonlySet<Run["state"]> = new Set(["queued", "dispatching", "running", "skipped"]);

/**
 * Another caller may have cancelled the run, and a second cancel skips the grace period. A run with another result may have
 * ended before the cancel or despite it. So both are unknown.
 */
function decideCancel({ state }: Run): Settlement {
  if (state === "cancelled") return "committed";
  return uncancelled.has(state) ? "not_committed" : "unknown";
}
