import type { AnswerOf, BodyOf, Chain, OperationById } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller, QueryOf } from "../caller.ts";
import type { CallOptions, ChangeOptions, CreateOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";
import { settleByAbsence, settleByPatch } from "../settle.ts";

export type ChainList = AnswerOf<OperationById<"chains.list">>;
export type ChainListQuery = QueryOf<"chains.list">;
export type ChainCreate = BodyOf<OperationById<"chains.create">>;
export type ChainPatch = BodyOf<OperationById<"chains.update">>;
export type ChainGraph = AnswerOf<OperationById<"chains.graph">>;
export type ChainGraphQuery = QueryOf<"chains.graph">;

/** What is started when a task has ended: a chain leads from a source task to a target task. */
export class ChainsApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** All chains, newest first; complete in one page unless `limit` is given. `GET /v1/chains` */
  list(query?: ChainListQuery, options?: CallOptions): PagePromise<ChainList> {
    return this.#caller.list("chains.list", { query, options });
  }

  /**
   * Starts the target after each run of the source that ends with `on_outcome`: `success`, `failure` or `any` of both.
   * A task that would follow itself, directly or by way of others, and a second chain for the same outcome are refused
   * as a {@link ValidationError}. `POST /v1/chains`
   *
   * ```ts
   * await client.chains.create({ source_task_id: load.id, target_task_id: report.id, on_outcome: "success" });
   * ```
   *
   * @throws {@link NotFoundError} where `source_task_id` or `target_task_id` names no task
   */
  create(chain: ChainCreate, options?: CreateOptions): ApiPromise<Chain> {
    return this.#caller.call("chains.create", { body: chain, options });
  }

  /**
   * All chains with their tasks, every source before its targets; around one task where `task_id` names it.
   * `GET /v1/chains/graph`
   *
   * @throws {@link NotFoundError} where `task_id` names no task
   */
  graph(query?: ChainGraphQuery, options?: CallOptions): ApiPromise<ChainGraph> {
    return this.#caller.call("chains.graph", { query, options });
  }

  /**
   * One chain. `GET /v1/chains/{id}`
   *
   * @throws {@link NotFoundError}
   */
  get(id: string, options?: CallOptions): ApiPromise<Chain> {
    return this.#caller.call("chains.get", { params: { id }, options });
  }

  /**
   * Changes the members that are named, `enabled` among them; runs it has asked for already stay. `PATCH /v1/chains/{id}`
   *
   * @throws {@link NotFoundError} also where a task that is named does not exist
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  update(id: string, patch: ChainPatch, options?: ChangeOptions): ApiPromise<Chain> {
    const settle = () => settleByPatch(this.get(id), { patch, ifMatch: options?.ifMatch });
    return this.#caller.call("chains.update", { params: { id }, body: patch, options, settle });
  }

  /**
   * Deletes a chain; runs it has asked for already stay. `DELETE /v1/chains/{id}`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  delete(id: string, options?: ChangeOptions): ApiPromise<void> {
    const settle = () => settleByAbsence(this.get(id));
    return this.#caller.call("chains.delete", { params: { id }, options, settle });
  }
}
