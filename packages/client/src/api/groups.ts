import type { AnswerOf, BodyOf, Group, OperationById } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller, QueryOf } from "../caller.ts";
import { findOutcomeByAbsence, findOutcomeByPatch, findOutcomeByState } from "../find-outcome.ts";
import type { CallOptions, ChangeOptions, CreateOptions } from "../options.ts";
import { findByName } from "../find-by-name.ts";
import type { PagePromise } from "../page.ts";

/** The answer of `GET /v1/groups`. */
export type GroupList = AnswerOf<OperationById<"groups.list">>;
/** The query of `GET /v1/groups`. */
export type GroupListQuery = QueryOf<"groups.list">;
/** The body of `POST /v1/groups`. */
export type GroupCreate = BodyOf<OperationById<"groups.create">>;
/** The body of `PATCH /v1/groups/{id}`. */
export type GroupPatch = BodyOf<OperationById<"groups.update">>;

/** Groups: a tree of tasks. A group can disable its tasks, limit their runs and give them an environment. */
export class GroupsApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Lists groups, newest first; all in one page unless `limit` is given. `GET /v1/groups` */
  list(query?: GroupListQuery, options?: CallOptions): PagePromise<GroupList> {
    return this.#caller.list("groups.list", { query, options });
  }

  /**
   * Creates a group. Its `environment` is write-only. `POST /v1/groups`
   *
   * @throws {@link NotFoundError} if the parent group does not exist
   */
  create(group: GroupCreate, options?: CreateOptions): ApiPromise<Group> {
    return this.#caller.call("groups.create", { body: group, options });
  }

  /**
   * Returns one group. `GET /v1/groups/{id}`
   *
   * @throws {@link NotFoundError}
   */
  get(id: string, options?: CallOptions): ApiPromise<Group> {
    return this.#caller.call("groups.get", { params: { id }, options });
  }

  /** Finds a group by its exact name. Returns null if there is none. */
  find(name: string, options?: CallOptions): Promise<Group | null> {
    return findByName(this, name, options);
  }

  /**
   * Changes the given members. `environment` merges by name; null removes a variable. `PATCH /v1/groups/{id}`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  update(id: string, patch: GroupPatch, options?: ChangeOptions): ApiPromise<Group> {
    const findOutcome = () => findOutcomeByPatch(this.get(id), { patch, ifMatch: options?.ifMatch });
    return this.#caller.call("groups.update", { params: { id }, body: patch, options, findOutcome });
  }

  /**
   * Deletes an empty group. `DELETE /v1/groups/{id}`
   *
   * @throws {@link NotFoundError}
   * @throws {@link ConflictError} if the group is not empty
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  delete(id: string, options?: ChangeOptions): ApiPromise<void> {
    const findOutcome = () => findOutcomeByAbsence(this.get(id));
    return this.#caller.call("groups.delete", { params: { id }, options, findOutcome });
  }

  /**
   * Enables a group: the tasks in it and its subgroups can start again. `POST /v1/groups/{id}/enable`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  enable(id: string, options?: ChangeOptions): ApiPromise<Group> {
    const findOutcome = () => findOutcomeByState(this.get(id), (now) => now.enabled);
    return this.#caller.call("groups.enable", { params: { id }, options, findOutcome });
  }

  /**
   * Disables a group: no task in it or its subgroups starts. Running tasks continue. `POST /v1/groups/{id}/disable`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  disable(id: string, options?: ChangeOptions): ApiPromise<Group> {
    const findOutcome = () => findOutcomeByState(this.get(id), (now) => !now.enabled);
    return this.#caller.call("groups.disable", { params: { id }, options, findOutcome });
  }
}
