import type { AnswerOf, BodyOf, Fired, OperationById, Trigger, TriggerSecret } from "@belfry/contract";
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

/** The answer of `GET /v1/triggers`. */
export type TriggerList = AnswerOf<OperationById<"triggers.list">>;
/** The query of `GET /v1/triggers`. */
export type TriggerListQuery = QueryOf<"triggers.list">;
/** The body of `POST /v1/triggers`. */
export type TriggerCreate = BodyOf<OperationById<"triggers.create">>;
/** The body of `PATCH /v1/triggers/{id}`. */
export type TriggerPatch = BodyOf<OperationById<"triggers.update">>;

/** Triggers: keys that let others run one task and nothing else. */
export class TriggersApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Lists triggers without their keys, newest first; all in one page unless `limit` is given. `GET /v1/triggers` */
  list(query?: TriggerListQuery, options?: CallOptions): PagePromise<TriggerList> {
    return this.#caller.list("triggers.list", { query, options });
  }

  /**
   * Creates a trigger. Returns its `key`, and a `command` that fires it. Keep the key out of logs and arguments.
   * `POST /v1/triggers`
   *
   * @throws {@link NotFoundError} if the target task does not exist
   */
  create(trigger: TriggerCreate, options?: CreateOptions): ApiPromise<TriggerSecret> {
    return this.#caller.call("triggers.create", { body: trigger, options });
  }

  /**
   * Fires the trigger with this key, and returns the run. The run is on disk when the promise resolves. `state` is `skipped`
   * if the limit of concurrent runs was reached, and the task skips further runs. Spaces and line breaks around the key, as in a
   * file, are ignored. `POST /v1/triggers/fire`
   *
   * @throws {@link TriggerFireError} if no run was created; its `code` says why
   */
  fire(key: string, options?: CreateOptions): ApiPromise<Fired> {
    return this.#caller.call("triggers.fire", { body: { key: key.trim() }, options });
  }

  /**
   * Returns one trigger. `readiness` says whether firing it would work now, and `reason` why not. `GET /v1/triggers/{id}`
   *
   * @throws {@link NotFoundError}
   */
  get(id: string, options?: CallOptions): ApiPromise<Trigger> {
    return this.#caller.call("triggers.get", { params: { id }, options });
  }

  /**
   * Finds a trigger by its exact name. Returns null if there is none.
   *
   * @throws {@link BelfryError} if several triggers have the name
   */
  find(name: string, options?: CallOptions): Promise<Trigger | null> {
    return findByName(this, name, options);
  }

  /**
   * Renames a trigger, or assigns another task. `PATCH /v1/triggers/{id}`
   *
   * @throws {@link NotFoundError} also if the target task does not exist
   * @throws {@link ConflictError} if another task is given for a member of a trigger set
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  update(id: string, patch: TriggerPatch, options?: ChangeOptions): ApiPromise<Trigger> {
    const findOutcome = () => findOutcomeByPatch(this.get(id), { patch, ifMatch: options?.ifMatch });
    return this.#caller.call("triggers.update", { params: { id }, body: patch, options, findOutcome });
  }

  /**
   * Deletes a trigger. Its key stops working immediately. `DELETE /v1/triggers/{id}`
   *
   * @throws {@link NotFoundError}
   * @throws {@link ConflictError} if it is the last member of its trigger set
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  delete(id: string, options?: ChangeOptions): ApiPromise<void> {
    const findOutcome = () => findOutcomeByAbsence(this.get(id));
    return this.#caller.call("triggers.delete", { params: { id }, options, findOutcome });
  }

  /**
   * Enables a trigger. `POST /v1/triggers/{id}/enable`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  enable(id: string, options?: ChangeOptions): ApiPromise<Trigger> {
    const findOutcome = () => findOutcomeByState(this.get(id), (now) => now.enabled);
    return this.#caller.call("triggers.enable", { params: { id }, options, findOutcome });
  }

  /**
   * Disables a trigger: firing it creates no run. Its active and queued runs continue. `POST /v1/triggers/{id}/disable`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  disable(id: string, options?: ChangeOptions): ApiPromise<Trigger> {
    const findOutcome = () => findOutcomeByState(this.get(id), (now) => !now.enabled);
    return this.#caller.call("triggers.disable", { params: { id }, options, findOutcome });
  }

  /**
   * Replaces the key, and returns the new one. The old key stops working immediately. If the answer is lost, `reveal`
   * returns the current key. `POST /v1/triggers/{id}/rotate`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  rotate(id: string, options?: ChangeOptions): ApiPromise<TriggerSecret> {
    const findOutcome = () => findOutcomeByRevision(this.get(id), options?.ifMatch);
    return this.#caller.call("triggers.rotate", { params: { id }, options, findOutcome });
  }

  /**
   * Reveals the key. The audit trail records the call. `POST /v1/triggers/{id}/reveal`
   *
   * @throws {@link NotFoundError}
   */
  reveal(id: string, options?: CallOptions): ApiPromise<TriggerSecret> {
    return this.#caller.call("triggers.reveal", { params: { id }, options });
  }
}
