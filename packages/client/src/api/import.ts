import type { BodyOf, ImportResult, OperationById } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller } from "../caller.ts";
import type { CallOptions, CreateOptions } from "../options.ts";

/** The body of `POST /v1/import`. */
export type ImportRequest = BodyOf<OperationById<"import.create">>;

/** Imports: many groups, tasks and schedules in one call. */
export class ImportApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Creates groups, tasks and schedules in one transaction: all or none. The definitions refer to each other by keys of the request.
   * `dry_run` returns the plan and creates nothing. `POST /v1/import`
   *
   * @throws {@link NotFoundError} if an id in the request does not exist
   */
  create(request: ImportRequest, options?: CreateOptions): ApiPromise<ImportResult> {
    return this.#caller.call("import.create", { body: request, options, changesNothing: request.dry_run === true });
  }

  /**
   * Returns the ids that an import created. `GET /v1/import/{id}`
   *
   * @throws {@link NotFoundError}
   */
  get(id: string, options?: CallOptions): ApiPromise<ImportResult> {
    return this.#caller.call("import.get", { params: { id }, options });
  }
}
