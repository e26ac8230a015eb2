import type { AnswerOf, OperationById } from "@belfry/contract";
import type { Caller, QueryOf } from "../caller.ts";
import type { CallOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";

/** The answer of `GET /v1/audit`. */
export type AuditEventList = AnswerOf<OperationById<"audit.list">>;
/** The query of `GET /v1/audit`. */
export type AuditQuery = QueryOf<"audit.list">;

/** The audit trail: who changed what. */
export class AuditApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Lists audit events, newest first, 100 per page unless `limit` is given. `GET /v1/audit` */
  list(query?: AuditQuery, options?: CallOptions): PagePromise<AuditEventList> {
    return this.#caller.list("audit.list", { query, options });
  }
}
