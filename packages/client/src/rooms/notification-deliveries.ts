import type { AnswerOf, BodyOf, NotificationDelivery, NotificationRedelivery, OperationById } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller, QueryOf } from "../caller.ts";
import type { CallOptions, CreateOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";

export type NotificationDeliveryList = AnswerOf<OperationById<"notification_deliveries.list">>;
export type NotificationDeliveryListQuery = QueryOf<"notification_deliveries.list">;

export type NotificationRedeliverFailed = BodyOf<OperationById<"notification_deliveries.redeliver_failed">>;

/** What was sent, is being sent and waits to be sent. */
export class NotificationDeliveriesApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Deliveries, newest first, 100 a page unless `limit` is given. `GET /v1/notification-deliveries` */
  list(query?: NotificationDeliveryListQuery, options?: CallOptions): PagePromise<NotificationDeliveryList> {
    return this.#caller.list("notification_deliveries.list", { query, options });
  }

  /**
   * One delivery: what was sent, how often, and what came back. `GET /v1/notification-deliveries/{id}`
   *
   * @throws {@link NotFoundError}
   */
  get(id: string, options?: CallOptions): ApiPromise<NotificationDelivery> {
    return this.#caller.call("notification_deliveries.get", { params: { id }, options });
  }

  /**
   * Sends the same event once more, to the channel's present endpoint; answers the new delivery, which has an id of its own.
   * `POST /v1/notification-deliveries/{id}/redeliver`
   *
   * @throws {@link NotFoundError}
   * @throws {@link ConflictError} where it has not ended yet, or its channel is disabled or gone
   */
  redeliver(id: string, options?: CreateOptions): ApiPromise<NotificationDelivery> {
    return this.#caller.call("notification_deliveries.redeliver", { params: { id }, options });
  }

  /**
   * Sends the failed deliveries that ended at or after `since` once more, oldest first, at most 1,000; with `channel_id` those
   * of that channel. The answer has the new ids, and counts what was left out: deliveries that were redelivered before, so
   * that repeating the call sends nothing twice, and those whose channel is disabled or deleted.
   * `POST /v1/notification-deliveries/redeliver`
   *
   * @throws {@link NotFoundError} where `channel_id` names no channel
   */
  redeliverFailed(which: NotificationRedeliverFailed, options?: CreateOptions): ApiPromise<NotificationRedelivery> {
    return this.#caller.call("notification_deliveries.redeliver_failed", { body: which, options });
  }
}
