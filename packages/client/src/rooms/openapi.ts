import type { AnswerOf, OperationById } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller } from "../caller.ts";
import type { CallOptions } from "../options.ts";

export type OpenApiDocument = AnswerOf<OperationById<"openapi.get">>;

/** The API's own description. */
export class OpenApiApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** The daemon's API in OpenAPI 3.1. `GET /v1/openapi.json` */
  get(options?: CallOptions): ApiPromise<OpenApiDocument> {
    return this.#caller.call("openapi.get", { options });
  }
}
