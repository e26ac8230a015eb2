import type { IdempotencyUse } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller } from "../caller.ts";
import type { CallOptions } from "../options.ts";

/** The results of calls with an idempotency key. */
export class IdempotencyApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Returns whether this caller used the key in the last 24 hours, and if so, the operation and the created id. `GET /v1/idempotency/{key}` */
  get(key: string, options?: CallOptions): ApiPromise<IdempotencyUse> {
    return this.#caller.call("idempotency.get", { params: { key }, options });
  }
}
