import type { AnswerOf, BodyOf, NotificationDelivery, NotificationRedelivery, OperationById } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller, QueryOf } from "../caller.ts";
import type { CallOptions, CreateOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";

/** The answer of `GET /v1/notification-deliveries`. */
export type NotificationDeliveryList = AnswerOf<OperationById<"notification_deliveries.list">>;
/** The query of `GET /v1/notification-deliveries`. */
export type NotificationDeliveryListQuery = QueryOf<"notification_deliveries.list">;

/** The body of `POST /v1/notification-deliveries/redeliver`. */
export type NotificationRedeliverFailed = BodyOf<OperationById<"notification_deliveries.redeliver_failed">>;

/** Deliveries: queued, in progress and finished webhooks. */
export class NotificationDeliveriesApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Lists deliveries, newest first, 100 per page unless `limit` is given. `GET /v1/notification-deliveries` */
  list(query?: NotificationDeliveryListQuery, options?: CallOptions): PagePromise<NotificationDeliveryList> {
    return this.#caller.list("notification_deliveries.list", { query, options });
  }

  /**
   * Returns one delivery: its payload, its attempts and the receiver's last status. `GET /v1/notification-deliveries/{id}`
   *
   * @throws {@link NotFoundError}
   */
  get(id: string, options?: CallOptions): ApiPromise<NotificationDelivery> {
    return this.#caller.call("notification_deliveries.get", { params: { id }, options });
  }

  /**
   * Sends the same event again, to the channel's current endpoint. Returns the new delivery, which has a new id.
   * `POST /v1/notification-deliveries/{id}/redeliver`
   *
   * @throws {@link NotFoundError}
   * @throws {@link ConflictError} if the delivery has not ended, or its channel is disabled or deleted
   */
  redeliver(id: string, options?: CreateOptions): ApiPromise<NotificationDelivery> {
    return this.#caller.call("notification_deliveries.redeliver", { params: { id }, options });
  }

  /**
   * Redelivers the failed deliveries that ended at or after `since`, oldest first, at most 1,000. With `channel_id`, only the
   * deliveries to that channel. Returns the new ids. `left_out` counts the deliveries that were not sent again, because they
   * were redelivered before, or their channel is disabled, deleted or unreadable. So the call can be repeated safely.
   * `POST /v1/notification-deliveries/redeliver`
   *
   * @throws {@link NotFoundError} if the channel does not exist
   */
  redeliverFailed(which: NotificationRedeliverFailed, options?: CreateOptions): ApiPromise<NotificationRedelivery> {
    return this.#caller.call("notification_deliveries.redeliver_failed", { body: which, options });
  }
}
