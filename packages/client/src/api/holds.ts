import type { AnswerOf, BodyOf, Hold, OperationById } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller, QueryOf } from "../caller.ts";
import { findOutcomeByState } from "../find-outcome.ts";
import type { CallOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";

/** The answer of `GET /v1/holds`. */
export type HoldList = AnswerOf<OperationById<"holds.list">>;
/** The query of `GET /v1/holds`. */
export type HoldListQuery = QueryOf<"holds.list">;
/** The body of `POST /v1/hold`. */
export type HoldPlace = BodyOf<OperationById<"holds.place">>;
/** The body of `POST /v1/release`. */
export type HoldRelease = BodyOf<OperationById<"holds.release">>;

/** Holds: while all tasks or the tasks of a group are held, no new run of them starts. */
export class HoldsApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Lists holds, newest first; all in one page unless `limit` is given. `GET /v1/holds` */
  list(query?: HoldListQuery, options?: CallOptions): PagePromise<HoldList> {
    return this.#caller.list("holds.list", { query, options });
  }

  /**
   * Holds all tasks, or with `group_id` the tasks of a group and its subgroups. A second hold changes the first. Active
   * runs continue. `POST /v1/hold`
   *
   * @throws {@link NotFoundError} if the group does not exist
   * @throws {@link ConflictError} if `until` is given for a hold whose cause is `restored` or `moved`
   */
  place(hold: HoldPlace = {}, options?: CallOptions): ApiPromise<Hold> {
    const { until = null, reason = null } = hold;
    const findOutcome = () =>
      findOutcomeByState(this.list(), ({ holds }) => {
        const now = findFor(holds, hold.group_id);
        return now?.reason === reason && isSameTime(now.until, until);
      });
    return this.#caller.call("holds.place", { body: hold, options, findOutcome });
  }

  /**
   * Releases the hold on all tasks, or with `group_id` the hold on a group. Returns the hold as it was. A hold whose
   * cause is `restored` or `moved` needs this `cause`: release it when the original no longer runs.
   * `POST /v1/release`
   *
   * @throws {@link NotFoundError} if the group does not exist
   * @throws {@link ConflictError} if there is no such hold, or if it has another cause
   */
  release(hold: HoldRelease = {}, options?: CallOptions): ApiPromise<Hold> {
    const findOutcome = () =>
      findOutcomeByState(this.list(), ({ holds }) => findFor(holds, hold.group_id) === undefined);
    return this.#caller.call("holds.release", { body: hold, options, findOutcome });
  }
}

function findFor(holds: readonly Hold[], groupId: string | null = null): Hold | undefined {
  return holds.find(({ group_id }) => group_id === groupId);
}

function isSameTime(one: string | null, other: string | null): boolean {
  return one === null || other === null ? one === other : Date.parse(one) === Date.parse(other);
}
