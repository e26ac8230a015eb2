import {
  type LeftOutReason,
  limits,
  type NotificationRedeliverFailed,
  type NotificationRedelivery,
} from "@belfry/contract";
import { describeError, isStorageFailure, notFound } from "../../kernel/errors/errors.ts";
import { newId } from "../../kernel/ids.ts";
import type { Log } from "../../kernel/log/log.ts";
import { formatInstant, type Instant, parseInstant } from "../../kernel/time/time.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import type { ChannelRow, Channels, ChannelSecrets, Target } from "../channels/index.ts";
import type { Deliveries } from "./service.ts";
import type { DeliveryFact } from "./facts.ts";
import type { DeliveryStore, RedeliveryStore } from "./store.ts";
import type { DeliveryRow } from "./table.ts";

export interface RedeliveryDeps {
  readonly log: Log;
  readonly store: RedeliveryStore;
  readonly failed: Pick<DeliveryStore, "isRedelivered" | "listFailedSince">;
  readonly deliveries: Pick<Deliveries, "repeat">;
  readonly secrets: Pick<ChannelSecrets, "targetOf">;
  readonly channels: Pick<Channels, "find" | "get">;
}

interface Destination {
  readonly channel: ChannelRow;
  readonly target: Target;
}

export type Redeliveries = ReturnType<typeof createRedeliveries>;

export function createRedeliveries({ log, store, failed, deliveries, secrets, channels }: RedeliveryDeps) {
  return {
    /** Queues failed deliveries again. One write is enough, because at most a thousand finished deliveries are kept. */
    redeliverFailed: (unit: Unit<DeliveryFact>, input: NotificationRedeliverFailed): NotificationRedelivery => {
      const since = parseInstant(input.since);
      const channelId = input.channel_id;
      if (channelId !== undefined) channels.get(channelId, "channel_id");
      const queued: NotificationRedelivery["deliveries"] = [];
      const leftOut = countLeftOut();
      const destinationOf = findDestinations(unit.now);
      for (const former of failed.listFailedSince({ since, channelId })) {
        if (queued.length === limits.redeliveriesMax) break;
        const to = failed.isRedelivered(former.id) ? "already_redelivered" : destinationOf(former.channelId);
        if (typeof to === "string") leftOut.add(former, to);
        else {
          const { id } = deliveries.repeat(unit, former, to);
          queued.push({ id, redelivery_of: former.id, channel_id: former.channelId });
        }
      }
      const result: NotificationRedelivery = {
        id: newId("rdl"),
        since: formatInstant(since),
        channel_id: channelId ?? null,
        deliveries: queued,
        left_out: leftOut.groups(),
      };
      store.removeUntil(unit.now - limits.idempotencyKeptMs);
      store.insert({ id: result.id, result, createdAt: unit.now });
      return result;
    },

    get: (id: string): NotificationRedelivery => {
      const row = store.find(id);
      if (row === undefined) throw notFound("redelivery", id);
      return row.result;
    },
  };

  /**
   * Finds a channel with its decrypted secrets, or the reason why nothing can be sent to it. Caches the results for one
   * call.
   */
  function findDestinations(now: Instant): (channelId: string) => Destination | LeftOutReason {
    const known = new Map<string, Destination | LeftOutReason>();
    return (channelId) => {
      const destination = known.get(channelId) ?? findDestination(channelId, now);
      known.set(channelId, destination);
      return destination;
    };
  }

  function findDestination(channelId: string, now: Instant): Destination | LeftOutReason {
    const channel = channels.find(channelId);
    if (channel === undefined) return "channel_deleted";
    if (!channel.enabled) return "channel_disabled";
    try {
      return { channel, target: secrets.targetOf(channel, now) };
    } catch (error) {
      if (isStorageFailure(error)) throw error;
      // the other channels must not fail with this one
      log.error("channel.unreadable", { channel_id: channelId, error: describeError(error) });
      return "channel_unreadable";
    }
  }
}

/** Counts deliveries by channel and reason, in the order in which each pair first occurred. */
function countLeftOut() {
  const groups = new Map<string, NotificationRedelivery["left_out"][number]>();
  return {
    add: ({ channelId, channelName }: DeliveryRow, reason: LeftOutReason): void => {
      const key = `${channelId} ${reason}`;
      const count = (groups.get(key)?.count ?? 0) + 1;
      groups.set(key, { channel_id: channelId, channel_name: channelName, reason, count });
    },
    groups: () => [...groups.values()],
  };
}
