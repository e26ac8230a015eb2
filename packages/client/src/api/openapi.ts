import type { AnswerOf, OperationById } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller } from "../caller.ts";
import type { CallOptions } from "../options.ts";

/** The answer of `GET /v1/openapi.json`. */
export type OpenApiDocument = AnswerOf<OperationById<"openapi.get">>;

/** The OpenAPI document of the daemon's API. */
export class OpenApiApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Returns the OpenAPI 3.1 document of the daemon's API. `GET /v1/openapi.json` */
  get(options?: CallOptions): ApiPromise<OpenApiDocument> {
    return this.#caller.call("openapi.get", { options });
  }
}
