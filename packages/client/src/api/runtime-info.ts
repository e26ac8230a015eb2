import type { RuntimeInfo } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller } from "../caller.ts";
import type { CallOptions } from "../options.ts";

/** The daemon's files. */
export class RuntimeInfoApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Returns the absolute paths of the daemon's files. `config_path` is present only if a configuration file is in use. `GET /v1/runtime-info` */
  get(options?: CallOptions): ApiPromise<RuntimeInfo> {
    return this.#caller.call("runtime_info.get", { options });
  }
}
