import type { AnswerOf, BodyOf, OperationById, Pairing } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller, QueryOf } from "../caller.ts";
import { findOutcomeByAbsence } from "../find-outcome.ts";
import type { CallOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";

/** The answer of `GET /v1/access/pairings`. */
export type PairingList = AnswerOf<OperationById<"pairings.list">>;
/** The query of `GET /v1/access/pairings`. */
export type PairingListQuery = QueryOf<"pairings.list">;
/** The body of `POST /v1/access/pairings`. */
export type PairingCreate = BodyOf<OperationById<"pairings.create">>;
/** The answer of `POST /v1/access/pairings`: the only one that contains a phrase. */
export type PairingSecret = AnswerOf<OperationById<"pairings.create">>;

/** Pairings: offers to enrol one client. Only the daemon's own machine has these operations. */
export class PairingsApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Creates a pairing and returns its phrase, which is shown only here. Give the client the invitation and the phrase by two
   * different ways. `POST /v1/access/pairings`
   *
   * ```ts
   * const { invitation, phrase } = await client.pairings.create({ name: "Laptop of Ada", capability: "operate" });
   * ```
   *
   * @throws {@link NotFoundError} if the actor does not exist
   * @throws {@link ConflictError} if the remote API is off, or the actor is built in or revoked
   */
  create(pairing: PairingCreate, options?: CallOptions): ApiPromise<PairingSecret> {
    return this.#caller.call("pairings.create", { body: pairing, options });
  }

  /** Lists pairings, newest first; all in one page unless `limit` is given. `GET /v1/access/pairings` */
  list(query?: PairingListQuery, options?: CallOptions): PagePromise<PairingList> {
    return this.#caller.list("pairings.list", { query, options });
  }

  /**
   * Returns one pairing, without its phrase. `GET /v1/access/pairings/{id}`
   *
   * @throws {@link NotFoundError}
   */
  get(id: string, options?: CallOptions): ApiPromise<Pairing> {
    return this.#caller.call("pairings.get", { params: { id }, options });
  }

  /**
   * Deletes a pairing, so that its phrase stops working. A credential that was made with it stays valid.
   * `DELETE /v1/access/pairings/{id}`
   *
   * @throws {@link NotFoundError}
   */
  delete(id: string, options?: CallOptions): ApiPromise<void> {
    const findOutcome = () => findOutcomeByAbsence(this.get(id));
    return this.#caller.call("pairings.delete", { params: { id }, options, findOutcome });
  }
}
