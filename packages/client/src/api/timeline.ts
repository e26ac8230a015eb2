import type { AnswerOf, OperationById } from "@belfry/contract";
import type { Caller, QueryOf } from "../caller.ts";
import type { CallOptions } from "../options.ts";
import type { ApiPromise } from "../api-promise.ts";

/** The answer of `GET /v1/timeline`. */
export type Timeline = AnswerOf<OperationById<"timeline.get">>;
/** The query of `GET /v1/timeline`. */
export type TimelineQuery = QueryOf<"timeline.get">;

/** The runs and the scheduled times of many tasks. */
export class TimelineApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Returns one row for each task, with its runs and its scheduled times between `from` and `until`. Many of them are
   * counted in buckets. 100 rows per page unless `limit` is given; `next_cursor` continues. `GET /v1/timeline`
   *
   * ```ts
   * const day = 86_400_000;
   * const { rows } = await client.timeline.get({
   *   from: new Date(Date.now() - day).toISOString(),
   *   until: new Date(Date.now() + day).toISOString(),
   * });
   * for (const { name, past } of rows) if (past.kind === "runs") console.log(name, past.runs.length);
   * ```
   *
   * @throws {@link ValidationError} if `until` is not later than `from`, or more than 31 days later
   */
  get(query: TimelineQuery, options?: CallOptions): ApiPromise<Timeline> {
    return this.#caller.call("timeline.get", { query, options });
  }
}
