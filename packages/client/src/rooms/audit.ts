import type { AnswerOf, OperationById } from "@belfry/contract";
import type { Caller, QueryOf } from "../caller.ts";
import type { CallOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";

export type AuditEventList = AnswerOf<OperationById<"audit.list">>;
export type AuditQuery = QueryOf<"audit.list">;

/** Who did what. */
export class AuditApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** The kept audit events, newest first, 100 a page unless `limit` is given. `GET /v1/audit` */
  list(query?: AuditQuery, options?: CallOptions): PagePromise<AuditEventList> {
    return this.#caller.list("audit.list", { query, options });
  }
}
