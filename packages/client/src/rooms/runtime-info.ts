import type { RuntimeInfo } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller } from "../caller.ts";
import type { CallOptions } from "../options.ts";

/** Where the daemon keeps its things. */
export class RuntimeInfoApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Absolute paths the running daemon uses; `config_path` only where a configuration file applies. `GET /v1/runtime-info` */
  get(options?: CallOptions): ApiPromise<RuntimeInfo> {
    return this.#caller.call("runtime_info.get", { options });
  }
}
