import type { BodyOf, ImportResult, OperationById } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller } from "../caller.ts";
import type { CallOptions, CreateOptions } from "../options.ts";

export type ImportRequest = BodyOf<OperationById<"import.create">>;

/** Many definitions at once. */
export class ImportApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Makes groups, tasks and schedules in one transaction: all or nothing. They refer to each other by the file's own
   * keys; `dry_run` answers the plan and keeps nothing. `POST /v1/import`
   *
   * @throws {@link NotFoundError} where an id in it names nothing
   */
  create(request: ImportRequest, options?: CreateOptions): ApiPromise<ImportResult> {
    return this.#caller.call("import.create", { body: request, options });
  }

  /**
   * What an import made. `GET /v1/import/{id}`
   *
   * @throws {@link NotFoundError}
   */
  get(id: string, options?: CallOptions): ApiPromise<ImportResult> {
    return this.#caller.call("import.get", { params: { id }, options });
  }
}
