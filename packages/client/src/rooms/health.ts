import type { Health } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller } from "../caller.ts";
import type { CallOptions } from "../options.ts";

/** Whether the daemon answers at all. */
export class HealthApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** `{ status: "ok" }` when the daemon answers. `GET /v1/health` */
  get(options?: CallOptions): ApiPromise<Health> {
    return this.#caller.call("health.get", { options });
  }
}
