import type { AnswerOf, BodyOf, NotificationChannel, NotificationDelivery, OperationById } from "@belfry/contract";
import type { ApiPromise } from "../api-promise.ts";
import type { Caller, QueryOf } from "../caller.ts";
import type { CallOptions, ChangeOptions, CreateOptions } from "../options.ts";
import { findByName } from "../find-by-name.ts";
import type { PagePromise } from "../page.ts";
import {
  findOutcomeWith,
  findOutcomeByAbsence,
  findOutcomeByPatch,
  findOutcomeByState,
  type Settlement,
} from "../find-outcome.ts";

/** The answer of `GET /v1/notification-channels`. */
export type NotificationChannelList = AnswerOf<OperationById<"notification_channels.list">>;
/** The query of `GET /v1/notification-channels`. */
export type NotificationChannelListQuery = QueryOf<"notification_channels.list">;
/** The body of `POST /v1/notification-channels`. */
export type NotificationChannelCreate = BodyOf<OperationById<"notification_channels.create">>;
/** The body of `PATCH /v1/notification-channels/{id}`. */
export type NotificationChannelPatch = BodyOf<OperationById<"notification_channels.update">>;
/** The body of `POST /v1/notification-channels/{id}/rotate`. */
export type NotificationChannelRotate = BodyOf<OperationById<"notification_channels.rotate">>;

/** Channels: webhook endpoints for notifications. The daemon never shows an endpoint, authorization or signing secret again. */
export class NotificationChannelsApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Lists channels, newest first; all in one page unless `limit` is given. `GET /v1/notification-channels` */
  list(query?: NotificationChannelListQuery, options?: CallOptions): PagePromise<NotificationChannelList> {
    return this.#caller.list("notification_channels.list", { query, options });
  }

  /**
   * Creates a channel. Its `endpoint` is https, or http on this machine. `authorization` is sent unchanged as the `Authorization` header.
   * `POST /v1/notification-channels`
   */
  create(channel: NotificationChannelCreate, options?: CreateOptions): ApiPromise<NotificationChannel> {
    return this.#caller.call("notification_channels.create", { body: channel, options });
  }

  /**
   * Returns one channel, without its secrets. `GET /v1/notification-channels/{id}`
   *
   * @throws {@link NotFoundError}
   */
  get(id: string, options?: CallOptions): ApiPromise<NotificationChannel> {
    return this.#caller.call("notification_channels.get", { params: { id }, options });
  }

  /** Finds a channel by its exact name. Returns null if there is none. */
  find(name: string, options?: CallOptions): Promise<NotificationChannel | null> {
    return findByName(this, name, options);
  }

  /**
   * Changes `name`, `endpoint` or `enabled`. An endpoint of another origin clears the authorization. Queued deliveries keep
   * their endpoint and authorization. `PATCH /v1/notification-channels/{id}`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  update(id: string, patch: NotificationChannelPatch, options?: ChangeOptions): ApiPromise<NotificationChannel> {
    const findOutcome = () => findOutcomeByPatch(this.get(id), { patch, ifMatch: options?.ifMatch });
    return this.#caller.call("notification_channels.update", { params: { id }, body: patch, options, findOutcome });
  }

  /**
   * Deletes a channel with its assignments, its unfinished deliveries and its secrets. `DELETE /v1/notification-channels/{id}`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  delete(id: string, options?: ChangeOptions): ApiPromise<void> {
    const findOutcome = () => findOutcomeByAbsence(this.get(id));
    return this.#caller.call("notification_channels.delete", { params: { id }, options, findOutcome });
  }

  /**
   * Enables a channel: it gets new deliveries again. `POST /v1/notification-channels/{id}/enable`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  enable(id: string, options?: ChangeOptions): ApiPromise<NotificationChannel> {
    const findOutcome = () => findOutcomeByState(this.get(id), (now) => now.enabled);
    return this.#caller.call("notification_channels.enable", { params: { id }, options, findOutcome });
  }

  /**
   * Disables a channel: it gets no new deliveries. Queued deliveries still go out. `POST /v1/notification-channels/{id}/disable`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  disable(id: string, options?: ChangeOptions): ApiPromise<NotificationChannel> {
    const findOutcome = () => findOutcomeByState(this.get(id), (now) => !now.enabled);
    return this.#caller.call("notification_channels.disable", { params: { id }, options, findOutcome });
  }

  /**
   * Replaces the authorization, the signing secret, or both. Null clears a secret, and an absent member keeps it. For 24 hours
   * after a replacement, the daemon also signs with the previous signing secret. It keeps at most two previous secrets, and
   * clears them with the signing secret. `POST /v1/notification-channels/{id}/rotate`
   *
   * @throws {@link NotFoundError}
   * @throws {@link PreconditionFailedError} if `ifMatch` is no longer the revision
   */
  rotate(id: string, secrets: NotificationChannelRotate, options?: ChangeOptions): ApiPromise<NotificationChannel> {
    const findOutcome = () => findOutcomeWith(this.get(id), (now) => decideRotation(now, secrets, options?.ifMatch));
    return this.#caller.call("notification_channels.rotate", { params: { id }, body: secrets, options, findOutcome });
  }

  /**
   * Queues a `test` event, which is sent like any other event, and returns its delivery. `POST /v1/notification-channels/{id}/test`
   *
   * @throws {@link NotFoundError}
   * @throws {@link ConflictError} if the channel is disabled
   */
  test(id: string, options?: CreateOptions): ApiPromise<NotificationDelivery> {
    return this.#caller.call("notification_channels.test", { params: { id }, options });
  }
}

/** A channel shows only whether it has a secret: a cleared secret is visible, a replaced one is not. The revision may show a replacement. */
function decideRotation(
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
