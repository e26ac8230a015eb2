import type { AnswerOf, BodyOf, OperationById, TriggerSet, TriggerSetSecrets } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller, QueryOf } from "../caller.ts";
import type { CallOptions, ChangeOptions, CreateOptions } from "../options.ts";
import { findByName } from "../find-by-name.ts";
import type { PagePromise } from "../page.ts";
import {
  findOutcomeByAbsence,
  findOutcomeByPatch,
  findOutcomeByRevision,
  findOutcomeByState,
} from "../find-outcome.ts";

/** The answer of `GET /v1/trigger-sets`. */
export type TriggerSetList = AnswerOf<OperationById<"trigger_sets.list">>;
/** The query of `GET /v1/trigger-sets`. */
export type TriggerSetListQuery = QueryOf<"trigger_sets.list">;
/** The body of `POST /v1/trigger-sets`. */
export type TriggerSetCreate = BodyOf<OperationById<"trigger_sets.create">>;
/** The body of `PATCH /v1/trigger-sets/{id}`. */
export type TriggerSetPatch = BodyOf<OperationById<"trigger_sets.update">>;

/** Trigger sets: 1 to 99 triggers of one task, created, enabled, disabled, rotated and deleted together. */
export class TriggerSetsApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Lists sets with their members, newest first; all in one page unless `limit` is given. `GET /v1/trigger-sets` */
  list(query?: TriggerSetListQuery, options?: CallOptions): PagePromise<TriggerSetList> {
    return this.#caller.list("trigger_sets.list", { query, options });
  }

  /**
   * Creates a set with `count` members named after it, or with the given `member_names`; all or none. Returns every key, by
   * position. `POST /v1/trigger-sets`
   *
   * @throws {@link NotFoundError} if the target task does not exist
   */
  create(set: TriggerSetCreate, options?: CreateOptions): ApiPromise<TriggerSetSecrets> {
    return this.#caller.call("trigger_sets.create", { body: set, options });
  }

  /**
   * Returns one set with its members. `GET /v1/trigger-sets/{id}`
   *
   * @throws {@link NotFoundError}
   */
  get(id: string, options?: CallOptions): ApiPromise<TriggerSet> {
    return this.#caller.call("trigger_sets.get", { params: { id }, options });
  }

  /** Finds a trigger set by its exact name. Returns null if there is none. */
  find(name: string, options?: CallOptions): Promise<TriggerSet | null> {
    return findByName(this, name, options);
  }

  /**
   * Assigns another task to every member, or renames the set. `PATCH /v1/trigger-sets/{id}`
   *
   * @throws {@link NotFoundError} also if the target task does not exist
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  update(id: string, patch: TriggerSetPatch, options?: ChangeOptions): ApiPromise<TriggerSet> {
    const findOutcome = () => findOutcomeByPatch(this.get(id), { patch, ifMatch: options?.ifMatch });
    return this.#caller.call("trigger_sets.update", { params: { id }, body: patch, options, findOutcome });
  }

  /**
   * Deletes a set and all its members. `DELETE /v1/trigger-sets/{id}`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  delete(id: string, options?: ChangeOptions): ApiPromise<void> {
    const findOutcome = () => findOutcomeByAbsence(this.get(id));
    return this.#caller.call("trigger_sets.delete", { params: { id }, options, findOutcome });
  }

  /**
   * Enables every member. `POST /v1/trigger-sets/{id}/enable`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  enable(id: string, options?: ChangeOptions): ApiPromise<TriggerSet> {
    const findOutcome = () => findOutcomeByState(this.get(id), (now) => now.enabled_count === now.member_count);
    return this.#caller.call("trigger_sets.enable", { params: { id }, options, findOutcome });
  }

  /**
   * Disables every member: firing one creates no run. `POST /v1/trigger-sets/{id}/disable`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  disable(id: string, options?: ChangeOptions): ApiPromise<TriggerSet> {
    const findOutcome = () => findOutcomeByState(this.get(id), (now) => now.enabled_count === 0);
    return this.#caller.call("trigger_sets.disable", { params: { id }, options, findOutcome });
  }

  /**
   * Replaces every member's key, and returns the new keys by position. The old keys stop working immediately. `POST /v1/trigger-sets/{id}/rotate`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  rotate(id: string, options?: ChangeOptions): ApiPromise<TriggerSetSecrets> {
    const findOutcome = () => findOutcomeByRevision(this.get(id), options?.ifMatch);
    return this.#caller.call("trigger_sets.rotate", { params: { id }, options, findOutcome });
  }

  /**
   * Reveals every member's key, by position. The audit trail records the call. `POST /v1/trigger-sets/{id}/reveal`
   *
   * @throws {@link NotFoundError}
   */
  reveal(id: string, options?: CallOptions): ApiPromise<TriggerSetSecrets> {
    return this.#caller.call("trigger_sets.reveal", { params: { id }, options });
  }
}
