import type { AnswerOf, Credential, OperationById } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller, QueryOf } from "../caller.ts";
import { findOutcomeByState } from "../find-outcome.ts";
import type { CallOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";

/** The answer of `GET /v1/access/actors/{id}/credentials`. */
export type CredentialList = AnswerOf<OperationById<"credentials.list">>;
/** The query of `GET /v1/access/actors/{id}/credentials`. */
export type CredentialListQuery = QueryOf<"credentials.list">;

/** Credentials: the access tokens of actors. No method returns a token. */
export class CredentialsApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Lists the credentials of an actor, newest first; all in one page unless `limit` is given.
   * `GET /v1/access/actors/{id}/credentials`
   *
   * @throws {@link NotFoundError} if the actor does not exist
   */
  list(actorId: string, query?: CredentialListQuery, options?: CallOptions): PagePromise<CredentialList> {
    return this.#caller.list("credentials.list", { params: { id: actorId }, query, options });
  }

  /**
   * Returns one credential. `GET /v1/access/credentials/{id}`
   *
   * @throws {@link NotFoundError}
   */
  get(id: string, options?: CallOptions): ApiPromise<Credential> {
    return this.#caller.call("credentials.get", { params: { id }, options });
  }

  /**
   * Revokes one credential and closes its open streams. This cannot be undone. Other credentials of the actor stay valid.
   * `POST /v1/access/credentials/{id}/revoke`
   *
   * @throws {@link NotFoundError}
   */
  revoke(id: string, options?: CallOptions): ApiPromise<Credential> {
    const findOutcome = () => findOutcomeByState(this.get(id), (now) => now.state === "revoked");
    return this.#caller.call("credentials.revoke", { params: { id }, options, findOutcome });
  }
}
