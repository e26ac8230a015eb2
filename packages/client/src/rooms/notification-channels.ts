import type { AnswerOf, BodyOf, NotificationChannel, NotificationDelivery, OperationById } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller, QueryOf } from "../caller.ts";
import type { CallOptions, ChangeOptions, CreateOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";
import { settleBy, settleByAbsence, settleByPatch, settleByState, type Settlement } from "../settle.ts";

export type NotificationChannelList = AnswerOf<OperationById<"notification_channels.list">>;
export type NotificationChannelListQuery = QueryOf<"notification_channels.list">;
export type NotificationChannelCreate = BodyOf<OperationById<"notification_channels.create">>;
export type NotificationChannelPatch = BodyOf<OperationById<"notification_channels.update">>;
export type NotificationChannelRotate = BodyOf<OperationById<"notification_channels.rotate">>;

/** Where to tell of runs that ended: webhooks. Endpoints, authorizations and signing secrets go in and are never shown again. */
export class NotificationChannelsApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** All channels, newest first; complete in one page unless `limit` is given. `GET /v1/notification-channels` */
  list(query?: NotificationChannelListQuery, options?: CallOptions): PagePromise<NotificationChannelList> {
    return this.#caller.list("notification_channels.list", { query, options });
  }

  /**
   * Makes a channel. Its `endpoint` is https, or http to this machine itself; `authorization` is sent as it is.
   * `POST /v1/notification-channels`
   */
  create(channel: NotificationChannelCreate, options?: CreateOptions): ApiPromise<NotificationChannel> {
    return this.#caller.call("notification_channels.create", { body: channel, options });
  }

  /**
   * One channel, without its secrets. `GET /v1/notification-channels/{id}`
   *
   * @throws {@link NotFoundError}
   */
  get(id: string, options?: CallOptions): ApiPromise<NotificationChannel> {
    return this.#caller.call("notification_channels.get", { params: { id }, options });
  }

  /**
   * Changes name, endpoint or enabled. An endpoint of another origin clears the authorization; deliveries that are already
   * queued keep the endpoint and the authorization they were queued with. `PATCH /v1/notification-channels/{id}`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  update(id: string, patch: NotificationChannelPatch, options?: ChangeOptions): ApiPromise<NotificationChannel> {
    const settle = () => settleByPatch(this.get(id), { patch, ifMatch: options?.ifMatch });
    return this.#caller.call("notification_channels.update", { params: { id }, body: patch, options, settle });
  }

  /**
   * Deletes a channel with its assignments, its unfinished deliveries and its secrets. `DELETE /v1/notification-channels/{id}`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  delete(id: string, options?: ChangeOptions): ApiPromise<void> {
    const settle = () => settleByAbsence(this.get(id));
    return this.#caller.call("notification_channels.delete", { params: { id }, options, settle });
  }

  /**
   * Lets a channel get deliveries again. `POST /v1/notification-channels/{id}/enable`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  enable(id: string, options?: ChangeOptions): ApiPromise<NotificationChannel> {
    const settle = () => settleByState(this.get(id), (now) => now.enabled);
    return this.#caller.call("notification_channels.enable", { params: { id }, options, settle });
  }

  /**
   * Keeps new deliveries from a channel; those queued still go out. `POST /v1/notification-channels/{id}/disable`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  disable(id: string, options?: ChangeOptions): ApiPromise<NotificationChannel> {
    const settle = () => settleByState(this.get(id), (now) => !now.enabled);
    return this.#caller.call("notification_channels.disable", { params: { id }, options, settle });
  }

  /**
   * Replaces the authorization or the signing secret; null clears one, and what is absent stays. A signing secret that is
   * replaced signs beside the new one for 24 hours; of several, the last two. Clearing drops the former ones too.
   * `POST /v1/notification-channels/{id}/rotate`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} where `ifMatch` is not the revision any more
   */
  rotate(id: string, secrets: NotificationChannelRotate, options?: ChangeOptions): ApiPromise<NotificationChannel> {
    const settle = () => settleBy(this.get(id), (now) => judgeRotation(now, secrets, options?.ifMatch));
    return this.#caller.call("notification_channels.rotate", { params: { id }, body: secrets, options, settle });
  }

  /**
   * Queues a test event, sent the way any other is; answers the delivery. `POST /v1/notification-channels/{id}/test`
   *
   * @throws {@link NotFoundError}
   * @throws {@link ConflictError} where the channel is disabled
   */
  test(id: string, options?: CreateOptions): ApiPromise<NotificationDelivery> {
    return this.#caller.call("notification_channels.test", { params: { id }, options });
  }
}

/** Secrets do not show, but whether there is one does: clearing can be told, replacing only by the revision. */
function judgeRotation(
  now: NotificationChannel,
  secrets: NotificationChannelRotate,
  ifMatch: number | "*" | undefined,
): Settlement {
  const { authorization, signing_secret: signingSecret } = secrets;
  if (authorization !== undefined && now.has_authorization !== (authorization !== null)) return "not_committed";
  if (signingSecret !== undefined && now.has_signing_secret !== (signingSecret !== null)) return "not_committed";
  if (now.revision === ifMatch) return "not_committed";
  return [authorization, signingSecret].some((secret) => typeof secret === "string") ? "unknown" : "committed";
}
