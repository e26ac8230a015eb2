import type { AnswerOf, BodyOf, Chain, OperationById } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller, QueryOf } from "../caller.ts";
import { findOutcomeByAbsence, findOutcomeByPatch } from "../find-outcome.ts";
import type { CallOptions, ChangeOptions, CreateOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";

/** The answer of `GET /v1/chains`. */
export type ChainList = AnswerOf<OperationById<"chains.list">>;
/** The query of `GET /v1/chains`. */
export type ChainListQuery = QueryOf<"chains.list">;
/** The body of `POST /v1/chains`. */
export type ChainCreate = BodyOf<OperationById<"chains.create">>;
/** The body of `PATCH /v1/chains/{id}`. */
export type ChainPatch = BodyOf<OperationById<"chains.update">>;
/** The answer of `GET /v1/chains/graph`. */
export type ChainGraph = AnswerOf<OperationById<"chains.graph">>;
/** The query of `GET /v1/chains/graph`. */
export type ChainGraphQuery = QueryOf<"chains.graph">;

/** Chains: each starts a target task after the runs of a source task. */
export class ChainsApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Lists chains, newest first; all in one page unless `limit` is given. `GET /v1/chains` */
  list(query?: ChainListQuery, options?: CallOptions): PagePromise<ChainList> {
    return this.#caller.list("chains.list", { query, options });
  }

  /**
   * Creates a chain. It starts the target after each run of the source that ends with `on_outcome`: `success`, `failure` or
   * `any`. A chain that closes a cycle, or has the tasks and outcome of another chain, throws a
   * {@link ValidationError}. `POST /v1/chains`
   *
   * ```ts
   * await client.chains.create({ source_task_id: load.id, target_task_id: report.id, on_outcome: "success" });
   * ```
   *
   * @throws {@link NotFoundError} if the source task or the target task does not exist
   */
  create(chain: ChainCreate, options?: CreateOptions): ApiPromise<Chain> {
    return this.#caller.call("chains.create", { body: chain, options });
  }

  /**
   * Returns all chains and their tasks, each source before its targets. With `task_id`, only the chains before and after that task.
   * `GET /v1/chains/graph`
   *
   * @throws {@link NotFoundError} if the task does not exist
   */
  graph(query?: ChainGraphQuery, options?: CallOptions): ApiPromise<ChainGraph> {
    return this.#caller.call("chains.graph", { query, options });
  }

  /**
   * Returns one chain. `GET /v1/chains/{id}`
   *
   * @throws {@link NotFoundError}
   */
  get(id: string, options?: CallOptions): ApiPromise<Chain> {
    return this.#caller.call("chains.get", { params: { id }, options });
  }

  /**
   * Changes the given members. Runs that the chain has already requested stay. `PATCH /v1/chains/{id}`
   *
   * @throws {@link NotFoundError} also if a given task does not exist
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  update(id: string, patch: ChainPatch, options?: ChangeOptions): ApiPromise<Chain> {
    const findOutcome = () => findOutcomeByPatch(this.get(id), { patch, ifMatch: options?.ifMatch });
    return this.#caller.call("chains.update", { params: { id }, body: patch, options, findOutcome });
  }

  /**
   * Deletes a chain. Runs that it has already requested stay. `DELETE /v1/chains/{id}`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  delete(id: string, options?: ChangeOptions): ApiPromise<void> {
    const findOutcome = () => findOutcomeByAbsence(this.get(id));
    return this.#caller.call("chains.delete", { params: { id }, options, findOutcome });
  }
}
