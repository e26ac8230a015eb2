import type { AnswerOf, OperationById, Run } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller, QueryOf } from "../caller.ts";
import type { CallOptions, CreateOptions } from "../options.ts";
import { type OutputItem, readOutput } from "../output.ts";
import type { PagePromise } from "../page.ts";
import { settleBy, type Settlement } from "../settle.ts";

export type RunList = AnswerOf<OperationById<"runs.list">>;
export type RunListQuery = QueryOf<"runs.list">;
export type OutputQuery = QueryOf<"runs.output">;
/** Of one stream, as it is now. */
export type RawOutputQuery = Omit<OutputQuery, "stream" | "follow"> & {
  readonly stream?: "stdout" | "stderr" | undefined;
};

/** What ran, runs, and will run at once. */
export class RunsApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** The history of runs, newest first, 100 a page unless `limit` is given. `GET /v1/runs` */
  list(query?: RunListQuery, options?: CallOptions): PagePromise<RunList> {
    return this.#caller.list("runs.list", { query, options });
  }

  /**
   * One run; `reason_text` says in a sentence how it ended. `GET /v1/runs/{id}`
   *
   * @throws {@link NotFoundError}
   */
  get(id: string, options?: CallOptions): ApiPromise<Run> {
    return this.#caller.call("runs.get", { params: { id }, options });
  }

  /**
   * What an attempt of a run wrote, piece by piece up to its `end`: both streams of the last one unless asked otherwise.
   * With `follow` it stays while the attempt runs, through broken connections too. `GET /v1/runs/{id}/output`
   *
   * ```ts
   * for await (const item of client.runs.output(run.id, { follow: true })) {
   *   if (item.kind === "output") process[item.stream].write(item.bytes);
   * }
   * ```
   *
   * @throws {@link NotFoundError}
   * @throws {@link AbortError} when `signal` ends it before the `end`
   */
  output(id: string, query: OutputQuery = {}, options: CallOptions = {}): AsyncGenerator<OutputItem, void, undefined> {
    return readOutput(this.#caller, { id, query, options });
  }

  /** The bytes of one stream as they are now, `stdout` unless asked otherwise, in one piece and without what was not kept. */
  outputBytes(id: string, query?: RawOutputQuery, options?: CallOptions): ApiPromise<Uint8Array> {
    const decode = async (response: Response) => new Uint8Array(await response.arrayBuffer());
    return this.#caller.raw("runs.output", { params: { id }, query, options }, decode);
  }

  /** The same as text, where the run wrote UTF-8. */
  outputText(id: string, query?: RawOutputQuery, options?: CallOptions): ApiPromise<string> {
    return this.#caller.raw("runs.output", { params: { id }, query, options }, (response) => response.text());
  }

  /**
   * Ends a run: TERM, then KILL after the task's grace; a second cancel skips the grace. `POST /v1/runs/{id}/cancel`
   *
   * @throws {@link NotFoundError}
   * @throws {@link ConflictError} where it has ended
   */
  cancel(id: string, options?: CallOptions): ApiPromise<Run> {
    const settle = () => settleBy(this.get(id), judgeCancel);
    return this.#caller.call("runs.cancel", { params: { id }, options, settle });
  }

  /**
   * Runs the same task once more; answers the new run. `POST /v1/runs/{id}/rerun`
   *
   * @throws {@link NotFoundError}
   * @throws {@link ConflictError} where the task is gone or not ready; no run is made
   */
  rerun(id: string, options?: CreateOptions): ApiPromise<Run> {
    return this.#caller.call("runs.rerun", { params: { id }, options });
  }
}

const uncancelled: ReadonlySet<Run["state"]> = new Set(["queued", "dispatching", "running", "skipped"]);

/**
 * After a cancel a run is cancelling or has ended. Whose cancel it was cannot be told, and a second one skips the grace; nor
 * whether a run that ended in another way did so before it or in spite of it.
 */
function judgeCancel({ state }: Run): Settlement {
  if (state === "cancelled") return "committed";
  return uncancelled.has(state) ? "not_committed" : "unknown";
}
