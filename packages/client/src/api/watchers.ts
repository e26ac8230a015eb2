import type { AnswerOf, BodyOf, FilesystemWatcher, OperationById } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller, QueryOf } from "../caller.ts";
import { findOutcomeByAbsence, findOutcomeByPatch, findOutcomeByState } from "../find-outcome.ts";
import type { CallOptions, ChangeOptions, CreateOptions } from "../options.ts";
import { findByName } from "../find-by-name.ts";
import type { PagePromise } from "../page.ts";

/** The answer of `GET /v1/filesystem-watchers`. */
export type FilesystemWatcherList = AnswerOf<OperationById<"watchers.list">>;
/** The query of `GET /v1/filesystem-watchers`. */
export type FilesystemWatcherListQuery = QueryOf<"watchers.list">;
/** The body of `POST /v1/filesystem-watchers`. */
export type FilesystemWatcherCreate = BodyOf<OperationById<"watchers.create">>;
/** The body of `PATCH /v1/filesystem-watchers/{id}`. */
export type FilesystemWatcherPatch = BodyOf<OperationById<"watchers.update">>;

/** Filesystem watchers: each runs a task when files change. */
export class WatchersApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Lists watchers with their health, newest first; all in one page unless `limit` is given.
   * `GET /v1/filesystem-watchers`
   */
  list(query?: FilesystemWatcherListQuery, options?: CallOptions): PagePromise<FilesystemWatcherList> {
    return this.#caller.list("watchers.list", { query, options });
  }

  /**
   * Creates a watcher. Existing files start no run. A missing or unreadable path is accepted, and `health` reports
   * it. `POST /v1/filesystem-watchers`
   *
   * ```ts
   * await client.watchers.create({
   *   name: "Inbox",
   *   kind: "directory",
   *   path: "/srv/inbox",
   *   pattern: "*.csv",
   *   target_task_id: load.id,
   * });
   * ```
   *
   * @throws {@link NotFoundError} if the target task does not exist
   */
  create(watcher: FilesystemWatcherCreate, options?: CreateOptions): ApiPromise<FilesystemWatcher> {
    return this.#caller.call("watchers.create", { body: watcher, options });
  }

  /**
   * Returns one watcher. `health` says whether it observes its files, and `readiness` whether its task could start now.
   * `GET /v1/filesystem-watchers/{id}`
   *
   * @throws {@link NotFoundError}
   */
  get(id: string, options?: CallOptions): ApiPromise<FilesystemWatcher> {
    return this.#caller.call("watchers.get", { params: { id }, options });
  }

  /** Finds a watcher by its exact name. Returns null if there is none. */
  find(name: string, options?: CallOptions): Promise<FilesystemWatcher | null> {
    return findByName(this, name, options);
  }

  /**
   * Changes the given members. If `kind`, `path`, `pattern`, `recursive` or `enabled` changes, the watcher drops file changes
   * for which no run has been requested yet. `PATCH /v1/filesystem-watchers/{id}`
   *
   * @throws {@link NotFoundError} also if the target task does not exist
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  update(id: string, patch: FilesystemWatcherPatch, options?: ChangeOptions): ApiPromise<FilesystemWatcher> {
    const findOutcome = () => findOutcomeByPatch(this.get(id), { patch, ifMatch: options?.ifMatch });
    return this.#caller.call("watchers.update", { params: { id }, body: patch, options, findOutcome });
  }

  /**
   * Deletes a watcher. Runs that it has already requested stay. `DELETE /v1/filesystem-watchers/{id}`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  delete(id: string, options?: ChangeOptions): ApiPromise<void> {
    const findOutcome = () => findOutcomeByAbsence(this.get(id));
    return this.#caller.call("watchers.delete", { params: { id }, options, findOutcome });
  }

  /**
   * Enables a watcher. Existing files start no run. `POST /v1/filesystem-watchers/{id}/enable`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  enable(id: string, options?: ChangeOptions): ApiPromise<FilesystemWatcher> {
    const findOutcome = () => findOutcomeByState(this.get(id), (now) => now.enabled);
    return this.#caller.call("watchers.enable", { params: { id }, options, findOutcome });
  }

  /**
   * Disables a watcher: it starts no run, and drops file changes for which no run has been requested yet. Active runs
   * continue. `POST /v1/filesystem-watchers/{id}/disable`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  disable(id: string, options?: ChangeOptions): ApiPromise<FilesystemWatcher> {
    const findOutcome = () => findOutcomeByState(this.get(id), (now) => !now.enabled);
    return this.#caller.call("watchers.disable", { params: { id }, options, findOutcome });
  }
}
