import type { AnswerOf, BodyOf, Group, OperationById } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller, QueryOf } from "../caller.ts";
import type { CallOptions, ChangeOptions, CreateOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";
import { settleByAbsence, settleByPatch, settleByState } from "../settle.ts";

export type GroupList = AnswerOf<OperationById<"groups.list">>;
export type GroupListQuery = QueryOf<"groups.list">;
export type GroupCreate = BodyOf<OperationById<"groups.create">>;
export type GroupPatch = BodyOf<OperationById<"groups.update">>;

/** The tree that tasks are sorted into: it switches them together, bounds them and gives them an environment. */
export class GroupsApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** All groups, newest first; complete in one page unless `limit` is given. `GET /v1/groups` */
  list(query?: GroupListQuery, options?: CallOptions): PagePromise<GroupList> {
    return this.#caller.list("groups.list", { query, options });
  }

  /**
   * Makes a group. Its `environment` is write-only. `POST /v1/groups`
   *
   * @throws {@link NotFoundError} where `parent_id` names no group
   */
  create(group: GroupCreate, options?: CreateOptions): ApiPromise<Group> {
    return this.#caller.call("groups.create", { body: group, options });
  }

  /**
   * One group. `GET /v1/groups/{id}`
   *
   * @throws {@link NotFoundError}
   */
  get(id: string, options?: CallOptions): ApiPromise<Group> {
    return this.#caller.call("groups.get", { params: { id }, options });
  }

  /**
   * Changes the members that are named; `environment` merges by name, and null removes one. `PATCH /v1/groups/{id}`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  update(id: string, patch: GroupPatch, options?: ChangeOptions): ApiPromise<Group> {
    const settle = () => settleByPatch(this.get(id), { patch, ifMatch: options?.ifMatch });
    return this.#caller.call("groups.update", { params: { id }, body: patch, options, settle });
  }

  /**
   * Deletes an empty group. `DELETE /v1/groups/{id}`
   *
   * @throws {@link NotFoundError}
   * @throws {@link ConflictError} where something is in it
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  delete(id: string, options?: ChangeOptions): ApiPromise<void> {
    const settle = () => settleByAbsence(this.get(id));
    return this.#caller.call("groups.delete", { params: { id }, options, settle });
  }

  /**
   * Lets the tasks below the group start again. `POST /v1/groups/{id}/enable`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  enable(id: string, options?: ChangeOptions): ApiPromise<Group> {
    const settle = () => settleByState(this.get(id), (now) => now.enabled);
    return this.#caller.call("groups.enable", { params: { id }, options, settle });
  }

  /**
   * Keeps every task below the group from starting; running ones go on. `POST /v1/groups/{id}/disable`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  disable(id: string, options?: ChangeOptions): ApiPromise<Group> {
    const settle = () => settleByState(this.get(id), (now) => !now.enabled);
    return this.#caller.call("groups.disable", { params: { id }, options, settle });
  }
}
