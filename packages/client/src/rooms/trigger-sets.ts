import type { AnswerOf, BodyOf, OperationById, TriggerSet, TriggerSetSecrets } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller, QueryOf } from "../caller.ts";
import type { CallOptions, ChangeOptions, CreateOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";
import { settleByAbsence, settleByPatch, settleByRevision, settleByState } from "../settle.ts";

export type TriggerSetList = AnswerOf<OperationById<"trigger_sets.list">>;
export type TriggerSetListQuery = QueryOf<"trigger_sets.list">;
export type TriggerSetCreate = BodyOf<OperationById<"trigger_sets.create">>;
export type TriggerSetPatch = BodyOf<OperationById<"trigger_sets.update">>;

/** Up to 99 triggers of one task, made, switched, rotated and deleted together. */
export class TriggerSetsApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** All sets with their members, newest first; complete in one page unless `limit` is given. `GET /v1/trigger-sets` */
  list(query?: TriggerSetListQuery, options?: CallOptions): PagePromise<TriggerSetList> {
    return this.#caller.list("trigger_sets.list", { query, options });
  }

  /**
   * Makes a set with `count` members named after it, or with the `member_names` given; all or none. The answer has every
   * key, by position. `POST /v1/trigger-sets`
   *
   * @throws {@link NotFoundError} where `target_task_id` names no task
   */
  create(set: TriggerSetCreate, options?: CreateOptions): ApiPromise<TriggerSetSecrets> {
    return this.#caller.call("trigger_sets.create", { body: set, options });
  }

  /**
   * One set with its members. `GET /v1/trigger-sets/{id}`
   *
   * @throws {@link NotFoundError}
   */
  get(id: string, options?: CallOptions): ApiPromise<TriggerSet> {
    return this.#caller.call("trigger_sets.get", { params: { id }, options });
  }

  /**
   * Gives every member another task at once, or renames the set. `PATCH /v1/trigger-sets/{id}`
   *
   * @throws {@link NotFoundError} also where `target_task_id` names no task
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  update(id: string, patch: TriggerSetPatch, options?: ChangeOptions): ApiPromise<TriggerSet> {
    const settle = () => settleByPatch(this.get(id), { patch, ifMatch: options?.ifMatch });
    return this.#caller.call("trigger_sets.update", { params: { id }, body: patch, options, settle });
  }

  /**
   * Deletes a set and all its members at once. `DELETE /v1/trigger-sets/{id}`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  delete(id: string, options?: ChangeOptions): ApiPromise<void> {
    const settle = () => settleByAbsence(this.get(id));
    return this.#caller.call("trigger_sets.delete", { params: { id }, options, settle });
  }

  /**
   * Lets every member be fired again, at once. `POST /v1/trigger-sets/{id}/enable`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  enable(id: string, options?: ChangeOptions): ApiPromise<TriggerSet> {
    const settle = () => settleByState(this.get(id), (now) => now.enabled_count === now.member_count);
    return this.#caller.call("trigger_sets.enable", { params: { id }, options, settle });
  }

  /**
   * Refuses every member's fires, at once. `POST /v1/trigger-sets/{id}/disable`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  disable(id: string, options?: ChangeOptions): ApiPromise<TriggerSet> {
    const settle = () => settleByState(this.get(id), (now) => now.enabled_count === 0);
    return this.#caller.call("trigger_sets.disable", { params: { id }, options, settle });
  }

  /**
   * Replaces every member's key at once and answers the new ones, by position; the former are worthless from the same
   * instant on. `POST /v1/trigger-sets/{id}/rotate`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  rotate(id: string, options?: ChangeOptions): ApiPromise<TriggerSetSecrets> {
    const settle = () => settleByRevision(this.get(id), options?.ifMatch);
    return this.#caller.call("trigger_sets.rotate", { params: { id }, options, settle });
  }

  /**
   * Reveals every member's key, by position; the audit trail says that you looked. `POST /v1/trigger-sets/{id}/reveal`
   *
   * @throws {@link NotFoundError}
   */
  reveal(id: string, options?: CallOptions): ApiPromise<TriggerSetSecrets> {
    return this.#caller.call("trigger_sets.reveal", { params: { id }, options });
  }
}
