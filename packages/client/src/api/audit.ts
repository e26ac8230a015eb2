import type { AnswerOf, AuditChain, AuditEvent, OperationById } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller, QueryOf } from "../caller.ts";
import type { CallOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";

/** The answer of `GET /v1/audit`. */
export type AuditEventList = AnswerOf<OperationById<"audit.list">>;
/** The query of `GET /v1/audit` and `GET /v1/audit/export`. */
export type AuditQuery = QueryOf<"audit.list">;

/** One page of an export. */
export interface AuditExportPage {
  /** The events of this page, each parsed as it arrives. Iterate it to the end or leave the loop, because the response stays open until then. */
  readonly events: AsyncGenerator<AuditEvent, void, undefined>;
  /** The `cursor` of the next page; null on the last page. */
  readonly next_cursor: string | null;
}

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

  /**
   * Yields the events of all pages, newest first, in constant memory. A page has 1,000 events unless `limit` is given.
   * The daemon records each page in the audit trail. `GET /v1/audit/export`
   *
   * ```ts
   * for await (const event of client.audit.export({ since: "2026-11-01T00:00:00Z" })) {
   *   file.write(`${JSON.stringify(event)}\n`);
   * }
   * ```
   *
   * @throws {@link AuditUnavailableError} if the daemon cannot record the export
   */
  async *export(query: AuditQuery = {}, options?: CallOptions): AsyncGenerator<AuditEvent, void, undefined> {
    for (let cursor = query.cursor; ;) {
      const page = await this.exportPage({ limit: pageMax, ...query, cursor }, options);
      yield* page.events;
      if (page.next_cursor === null) return;
      cursor = page.next_cursor;
    }
  }

  /** Returns one page of an export, 100 events unless `limit` is given. */
  async exportPage(query?: AuditQuery, options?: CallOptions): Promise<AuditExportPage> {
    const { lines, nextCursor } = await this.#caller.lines("audit.export", { query, options });
    return { events: lines, next_cursor: nextCursor };
  }

  /** Returns both ends of the hash chain, and whether the daemon has found tampering. `GET /v1/audit/chain` */
  chain(options?: CallOptions): ApiPromise<AuditChain> {
    return this.#caller.call("audit.chain", { options });
  }
}

/** The contract's largest page. */
const pageMax = 1_000;
