import type { Health } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller } from "../caller.ts";
import type { CallOptions } from "../options.ts";

/** Checks whether the daemon answers. */
export class HealthApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Returns `{ status: "ok" }` if the daemon answers. `GET /v1/health` */
  get(options?: CallOptions): ApiPromise<Health> {
    return this.#caller.call("health.get", { options });
  }
}
