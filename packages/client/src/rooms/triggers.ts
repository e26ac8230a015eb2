import type { AnswerOf, BodyOf, Fired, OperationById, Trigger, TriggerSecret } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller, QueryOf } from "../caller.ts";
import type { CallOptions, ChangeOptions, CreateOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";
import { settleByAbsence, settleByPatch, settleByRevision, settleByState } from "../settle.ts";

export type TriggerList = AnswerOf<OperationById<"triggers.list">>;
export type TriggerListQuery = QueryOf<"triggers.list">;
export type TriggerCreate = BodyOf<OperationById<"triggers.create">>;
export type TriggerPatch = BodyOf<OperationById<"triggers.update">>;

/** Keys that let others run one task, and nothing else. */
export class TriggersApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** All triggers, newest first; complete in one page unless `limit` is given. Never a key. `GET /v1/triggers` */
  list(query?: TriggerListQuery, options?: CallOptions): PagePromise<TriggerList> {
    return this.#caller.list("triggers.list", { query, options });
  }

  /**
   * Makes a trigger. The answer has its `key` and a `command` that fires it: keep the key out of logs and arguments.
   * `POST /v1/triggers`
   *
   * @throws {@link NotFoundError} where `target_task_id` names no task
   */
  create(trigger: TriggerCreate, options?: CreateOptions): ApiPromise<TriggerSecret> {
    return this.#caller.call("triggers.create", { body: trigger, options });
  }

  /**
   * Runs the task of the trigger that has this key; the run is durable when this answers. `state` is `skipped` where the
   * task skips what would overlap. `POST /v1/triggers/fire`
   *
   * @throws {@link TriggerFireError} where nothing was run; its `code` says why
   */
  fire(key: string, options?: CreateOptions): ApiPromise<Fired> {
    return this.#caller.call("triggers.fire", { body: { key }, options });
  }

  /**
   * One trigger, with `readiness` and the `reason` a fire would fail now. `GET /v1/triggers/{id}`
   *
   * @throws {@link NotFoundError}
   */
  get(id: string, options?: CallOptions): ApiPromise<Trigger> {
    return this.#caller.call("triggers.get", { params: { id }, options });
  }

  /**
   * Renames a trigger, or gives it another task. `PATCH /v1/triggers/{id}`
   *
   * @throws {@link NotFoundError} also where `target_task_id` names no task
   * @throws {@link ConflictError} where a Trigger Set's member would get another task than the set
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  update(id: string, patch: TriggerPatch, options?: ChangeOptions): ApiPromise<Trigger> {
    const settle = () => settleByPatch(this.get(id), { patch, ifMatch: options?.ifMatch });
    return this.#caller.call("triggers.update", { params: { id }, body: patch, options, settle });
  }

  /**
   * Deletes a trigger; its key is worthless from then on. `DELETE /v1/triggers/{id}`
   *
   * @throws {@link NotFoundError}
   * @throws {@link ConflictError} where it is the last member of its Trigger Set
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  delete(id: string, options?: ChangeOptions): ApiPromise<void> {
    const settle = () => settleByAbsence(this.get(id));
    return this.#caller.call("triggers.delete", { params: { id }, options, settle });
  }

  /**
   * Lets a trigger be fired again. `POST /v1/triggers/{id}/enable`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  enable(id: string, options?: ChangeOptions): ApiPromise<Trigger> {
    const settle = () => settleByState(this.get(id), (now) => now.enabled);
    return this.#caller.call("triggers.enable", { params: { id }, options, settle });
  }

  /**
   * Refuses to be fired from now on; runs under way go on. `POST /v1/triggers/{id}/disable`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  disable(id: string, options?: ChangeOptions): ApiPromise<Trigger> {
    const settle = () => settleByState(this.get(id), (now) => !now.enabled);
    return this.#caller.call("triggers.disable", { params: { id }, options, settle });
  }

  /**
   * Replaces the key and answers the new one; the former is worthless from the same instant on. When the answer is lost,
   * reveal the key to have the one that counts. `POST /v1/triggers/{id}/rotate`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  rotate(id: string, options?: ChangeOptions): ApiPromise<TriggerSecret> {
    const settle = () => settleByRevision(this.get(id), options?.ifMatch);
    return this.#caller.call("triggers.rotate", { params: { id }, options, settle });
  }

  /**
   * Reveals the key; the audit trail says that you looked. `POST /v1/triggers/{id}/reveal`
   *
   * @throws {@link NotFoundError}
   */
  reveal(id: string, options?: CallOptions): ApiPromise<TriggerSecret> {
    return this.#caller.call("triggers.reveal", { params: { id }, options });
  }
}
