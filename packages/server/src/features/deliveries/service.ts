import { limits, type WebhookPayload } from "@belfry/contract";
import { AppError, notFound } from "../../kernel/errors/errors.ts";
import { newId } from "../../kernel/ids.ts";
import type { Page } from "../../kernel/storage/page.ts";
import type { Instant } from "../../kernel/time/time.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import type { ChannelDeleting, ChannelRow, Channels, ChannelSecrets, Target } from "../channels/index.ts";
import type { DeliveryFact } from "./facts.ts";
import { type DeliveryHead, renewPayload, testPayload } from "./payload.ts";
import type { DeliveryFilters, DeliveryStore } from "./store.ts";
import type { DeliveryRow } from "./table.ts";

/*
 * The states of a delivery.
 *
 * pending    queued, or waiting for its next attempt. It has a snapshot of its endpoint and secrets, and no connection.
 * claimed    one attempt is in progress. The count was raised and committed before the first byte was sent. So an attempt
 *            that a crash interrupts counts, and no fourth request is ever sent. The claim is a lease that expires.
 * succeeded  the headers of a 2xx response arrived in time. Final.
 * failed     three attempts were made, or the last of them was interrupted. Final.
 *
 * pending -> claimed -> succeeded | failed, or back to pending after one second, then after two.
 * A restart returns claimed deliveries to pending immediately and keeps their count. After three attempts, such a delivery
 * fails with the diagnostic `interrupted`.
 * A request that was not sent because the daemon's resources were exhausted does not count.
 * The write that ends a delivery erases its snapshot. The result of an attempt that is not the current one is ignored: the
 * channel may be deleted, or the claim expired.
 */

/** One request that may now be sent. */
export interface Claim {
  readonly id: string;
  readonly channelId: string;
  /** The number of the attempt, 1 to 3. */
  readonly attempt: number;
}

/** The result of an attempt. `unsent`: the daemon's resources were exhausted, and no request was sent. */
export interface AttemptResult {
  readonly kind: "delivered" | "refused" | "unsent";
  /** The HTTP status of the answer; null without an answer. */
  readonly status: number | null;
  /** At most 500 characters, without secrets. */
  readonly diagnostic: string | null;
}

export interface DeliveryDeps {
  readonly store: DeliveryStore;
  readonly channels: Pick<Channels, "find">;
  readonly secrets: ChannelSecrets;
  /** The daemon's version. */
  readonly version: string;
}

export type Deliveries = ReturnType<typeof createDeliveries>;

export const interrupted = "the daemon stopped during the last attempt, whose result is unknown";
export const restored = "restored: the data came from a backup or another machine, whose daemon may send this delivery";
/** The pause before another try after the daemon's resources were exhausted. */
const unsentDelayMs = 1_000;

export function createDeliveries({ store, channels, secrets, version }: DeliveryDeps) {
  const get = (id: string): DeliveryRow => {
    const row = store.find(id);
    if (row === undefined) throw notFound("notification delivery", id);
    return row;
  };

  return {
    get,
    find: store.find,
    list: (filters: DeliveryFilters, page: Page) => store.list(filters, page),
    queue,

    test: (unit: Unit<DeliveryFact>, channel: ChannelRow): DeliveryRow => {
      requireEnabled(channel);
      return queue(unit, channel, { make: testPayload, taskId: null, runId: null });
    },

    redeliver: (unit: Unit<DeliveryFact>, id: string): DeliveryRow => {
      const former = get(id);
      if (former.endedAt === null)
        throw new AppError("conflict", "this delivery has not finished yet: wait until it succeeds or fails");
      const channel = channels.find(former.channelId);
      if (channel === undefined)
        throw new AppError(
          "conflict",
          "the channel of this delivery was deleted: a deleted channel gets no deliveries",
        );
      requireEnabled(channel);
      return repeat(unit, former, { channel, target: secrets.targetOf(channel, unit.now) });
    },
    repeat,

    claim: (unit: Unit<DeliveryFact>, row: DeliveryRow): Claim => {
      const attempt = row.attemptCount + 1;
      const change = { state: "claimed", attemptCount: attempt, claimedAt: unit.now, nextAttemptAt: null } as const;
      store.update(row.id, { ...change, updatedAt: unit.now });
      recordUpdate(unit, row);
      return { id: row.id, channelId: row.channelId, attempt };
    },

    /**
     * Records the result of an attempt and decides on a retry. Returns the pause before the next attempt, or null if
     * there is none.
     */
    recordResult: (
      unit: Unit<DeliveryFact>,
      claim: Claim,
      result: AttemptResult,
    ): { readonly retryAfterMs: number | null } => {
      const row = store.find(claim.id);
      if (row?.state !== "claimed" || row.attemptCount !== claim.attempt) return { retryAfterMs: null };
      const seen = { lastStatus: result.status ?? row.lastStatus, diagnostic: result.diagnostic };
      if (result.kind === "unsent") {
        postpone(unit, row, { ...seen, attemptCount: claim.attempt - 1, nextAttemptAt: unit.now + unsentDelayMs });
        return { retryAfterMs: unsentDelayMs };
      }
      if (result.kind === "delivered") {
        end(unit, row, { ...seen, state: "succeeded" });
        return { retryAfterMs: null };
      }
      const delayMs = limits.webhookRetryDelaysMs[claim.attempt - 1];
      if (delayMs === undefined) {
        end(unit, row, { ...seen, state: "failed" });
        return { retryAfterMs: null };
      }
      postpone(unit, row, { ...seen, nextAttemptAt: unit.now + delayMs });
      return { retryAfterMs: delayMs };
    },

    /**
     * Ends the unfinished deliveries of data from elsewhere, whose original may still send them; returns their number. It
     * records no facts: these failures say nothing about their channels.
     */
    abandonAll: (unit: Unit<DeliveryFact>): number => {
      const pending = store.listPendingChannels().flatMap((id) => store.listPending(id, Number.MAX_SAFE_INTEGER));
      const unfinished = [...pending, ...store.listClaimed()];
      for (const { id } of unfinished) store.update(id, { ...endColumns(unit), state: "failed", diagnostic: restored });
      return unfinished.length;
    },

    /** Takes back a claim of a former daemon, or one past its lease. */
    takeBack: (unit: Unit<DeliveryFact>, row: DeliveryRow): void => {
      if (row.attemptCount >= limits.webhookAttemptsMax)
        return end(unit, row, { state: "failed", diagnostic: interrupted });
      postpone(unit, row, { nextAttemptAt: unit.now });
    },

    /** Removes the unfinished deliveries of a deleted channel; the result of an attempt in flight is then ignored. */
    onChannelDeleting: (unit: Unit<DeliveryFact>, { channelId }: ChannelDeleting): void => {
      for (const { id } of store.listUnfinishedOf(channelId)) {
        store.remove(id);
        unit.record({ name: "delivery.deleted", deliveryId: id, channelId });
      }
    },

    /** Removes finished deliveries beyond the newest thousand, in the transaction that ends one. */
    prune: (unit: Unit<DeliveryFact>): void => {
      for (const { id, channelId } of store.listEndedBefore(store.lastEndedNumber() - limits.deliveriesKept + 1)) {
        store.remove(id);
        unit.record({ name: "delivery.deleted", deliveryId: id, channelId });
      }
    },
  };

  function queue(
    unit: Unit<DeliveryFact>,
    channel: ChannelRow,
    of: {
      readonly make: (head: DeliveryHead) => WebhookPayload;
      readonly taskId: string | null;
      readonly runId: string | null;
      readonly redeliveryOf?: string;
      /** The secrets of a channel are decrypted once for all of its deliveries. */
      readonly target?: Target;
    },
  ): DeliveryRow {
    const id = newId("dlv");
    const payload = of.make({ id, createdAt: unit.now, version });
    const row: DeliveryRow = {
      id,
      channelId: channel.id,
      channelName: channel.name,
      endpointSummary: channel.endpointSummary,
      event: payload.event,
      taskId: of.taskId,
      runId: of.runId,
      state: "pending",
      attemptCount: 0,
      lastStatus: null,
      diagnostic: null,
      payload: JSON.stringify(payload),
      targetSealed: secrets.sealTarget(id, of.target ?? secrets.targetOf(channel, unit.now)),
      createdAt: unit.now,
      updatedAt: unit.now,
      nextAttemptAt: unit.now,
      claimedAt: null,
      endedAt: null,
      endedNumber: null,
      redeliveryOf: of.redeliveryOf ?? null,
    };
    store.insert(row);
    unit.record({ name: "delivery.queued", deliveryId: id, channelId: channel.id });
    return row;
  }

  /** Queues the same event again, for the current endpoint of its channel. */
  function repeat(
    unit: Unit<DeliveryFact>,
    former: DeliveryRow,
    { channel, target }: { readonly channel: ChannelRow; readonly target: Target },
  ): DeliveryRow {
    // safe because `queue` wrote it
    const payload = JSON.parse(former.payload) as WebhookPayload;
    const make = (head: DeliveryHead) => renewPayload(payload, head);
    const { taskId, runId, id: redeliveryOf } = former;
    return queue(unit, channel, { make, taskId, runId, redeliveryOf, target });
  }

  function postpone(
    unit: Unit<DeliveryFact>,
    row: DeliveryRow,
    change: Partial<DeliveryRow> & { readonly nextAttemptAt: Instant },
  ): void {
    store.update(row.id, { ...change, state: "pending", updatedAt: unit.now });
    recordUpdate(unit, row);
  }

  function end(
    unit: Unit<DeliveryFact>,
    row: DeliveryRow,
    change: Partial<DeliveryRow> & { readonly state: "succeeded" | "failed" },
  ): void {
    store.update(row.id, { ...change, ...endColumns(unit) });
    const { id: deliveryId, channelId } = row;
    unit.record({ name: "delivery.ended", deliveryId, channelId, state: change.state, erases: true });
  }

  function endColumns({ now }: Pick<Unit, "now">) {
    const endedNumber = store.lastEndedNumber() + 1;
    return { nextAttemptAt: null, targetSealed: null, endedAt: now, endedNumber, updatedAt: now };
  }

  function recordUpdate(unit: Unit<DeliveryFact>, { id, channelId }: DeliveryRow): void {
    unit.record({ name: "delivery.updated", deliveryId: id, channelId });
  }

  function requireEnabled(channel: ChannelRow): void {
    if (!channel.enabled) throw new AppError("conflict", "the channel is disabled: enable the channel first");
  }
}
