import type { AnswerOf, BodyOf, OperationById } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller } from "../caller.ts";
import type { CallOptions } from "../options.ts";

/** The answer of `GET /v1/access/current`. */
export type CurrentAccess = AnswerOf<OperationById<"access.current">>;
/** The body of `POST /api/v1/enroll`. */
export type EnrollRequest = BodyOf<OperationById<"access.enroll">>;
/** The answer of `POST /api/v1/enroll`: the only one that contains an access token. */
export type Enrollment = AnswerOf<OperationById<"access.enroll">>;

/** The caller's own access. */
export class AccessApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Returns the caller's own actor and what it may do now. `GET /v1/access/current` */
  current(options?: CallOptions): ApiPromise<CurrentAccess> {
    return this.#caller.call("access.current", { options });
  }

  /**
   * Exchanges the phrase of a pairing for a credential. Only the remote API has this operation. It does not check whom it
   * sends the phrase to: use `enrollRemote` from `@belfry/client/remote`, which does. `POST /api/v1/enroll`
   *
   * @throws {@link UnauthorizedError} if the phrase is wrong, or the pairing is unknown, used, expired or burnt
   * @throws {@link ConflictError} if the daemon has another identity
   * @throws {@link ForbiddenError} if the pairing offers less than `capability`
   */
  enroll(request: EnrollRequest, options?: CallOptions): ApiPromise<Enrollment> {
    return this.#caller.call("access.enroll", { body: request, options });
  }
}
