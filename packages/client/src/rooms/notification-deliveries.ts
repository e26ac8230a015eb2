import type { AnswerOf, NotificationDelivery, OperationById } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller, QueryOf } from "../caller.ts";
import type { CallOptions, CreateOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";

export type NotificationDeliveryList = AnswerOf<OperationById<"notification_deliveries.list">>;
export type NotificationDeliveryListQuery = QueryOf<"notification_deliveries.list">;

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
   * Sends the same event once more, to where its channel leads now; answers the new delivery.
   * `POST /v1/notification-deliveries/{id}/redeliver`
   *
   * @throws {@link NotFoundError}
   * @throws {@link ConflictError} where it has not ended yet, or its channel is disabled or gone
   */
  redeliver(id: string, options?: CreateOptions): ApiPromise<NotificationDelivery> {
    return this.#caller.call("notification_deliveries.redeliver", { params: { id }, options });
  }
}
