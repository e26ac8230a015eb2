import type { Actor, AnswerOf, BodyOf, OperationById } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller, QueryOf } from "../caller.ts";
import { findOutcomeByPatch, findOutcomeByState } from "../find-outcome.ts";
import type { CallOptions, ChangeOptions, CreateOptions } from "../options.ts";
import { findByName } from "../find-by-name.ts";
import type { PagePromise } from "../page.ts";

/** The answer of `GET /v1/access/actors`. */
export type ActorList = AnswerOf<OperationById<"actors.list">>;
/** The query of `GET /v1/access/actors`. */
export type ActorListQuery = QueryOf<"actors.list">;
/** The body of `POST /v1/access/actors`. */
export type ActorCreate = BodyOf<OperationById<"actors.create">>;
/** The body of `PATCH /v1/access/actors/{id}`. */
export type ActorPatch = BodyOf<OperationById<"actors.update">>;

/** Actors: who may call the daemon, and what each may do. */
export class ActorsApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Lists actors, newest first; all in one page unless `limit` is given. `GET /v1/access/actors` */
  list(query?: ActorListQuery, options?: CallOptions): PagePromise<ActorList> {
    return this.#caller.list("actors.list", { query, options });
  }

  /**
   * Creates an actor. It has no credential yet. `POST /v1/access/actors`
   *
   * ```ts
   * await client.actors.create({ name: "Status board", capability: "observe", expires_at: "2027-01-01T00:00:00Z" });
   * ```
   */
  create(actor: ActorCreate, options?: CreateOptions): ApiPromise<Actor> {
    return this.#caller.call("actors.create", { body: actor, options });
  }

  /**
   * Returns one actor. `GET /v1/access/actors/{id}`
   *
   * @throws {@link NotFoundError}
   */
  get(id: string, options?: CallOptions): ApiPromise<Actor> {
    return this.#caller.call("actors.get", { params: { id }, options });
  }

  /** Finds an actor by its exact name. Returns null if there is none. */
  find(name: string, options?: CallOptions): Promise<Actor | null> {
    return findByName(this, name, options);
  }

  /**
   * Changes `name`, `capability`, `state` or `expires_at`. Disabling an actor or lowering its capability closes its open
   * streams. `PATCH /v1/access/actors/{id}`
   *
   * @throws {@link NotFoundError}
   * @throws {@link ConflictError} if the actor is built in or revoked
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  update(id: string, patch: ActorPatch, options?: ChangeOptions): ApiPromise<Actor> {
    const findOutcome = () => findOutcomeByPatch(this.get(id), { patch, ifMatch: options?.ifMatch });
    return this.#caller.call("actors.update", { params: { id }, body: patch, options, findOutcome });
  }

  /**
   * Revokes an actor and its credentials, and closes its open streams. This cannot be undone.
   * `POST /v1/access/actors/{id}/revoke`
   *
   * @throws {@link NotFoundError}
   * @throws {@link ConflictError} if the actor is built in
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  revoke(id: string, options?: ChangeOptions): ApiPromise<Actor> {
    const findOutcome = () => findOutcomeByState(this.get(id), (now) => now.state === "revoked");
    return this.#caller.call("actors.revoke", { params: { id }, options, findOutcome });
  }
}
