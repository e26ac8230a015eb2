import { limits } from "@belfry/contract";
import { type Clock, within } from "../../../kernel/time/clock.ts";
import { describeError } from "../../../kernel/errors/errors.ts";
import type { Log } from "../../../kernel/log/log.ts";
import { createLoop, type Next } from "../../../kernel/time/loop.ts";
import type { Unit, Write } from "../../../kernel/storage/write.ts";
import type { ChannelSecrets } from "../../channels/index.ts";
import type { AttemptResult, Claim, Deliveries } from "../service.ts";
import type { DeliveryFact } from "../facts.ts";
import { createLanes } from "./lanes.ts";
import type { Abort, Sender } from "./send-webhook.ts";
import type { DeliveryStore } from "../store.ts";
import type { DeliveryRow } from "../table.ts";

export interface DelivererParts {
  readonly clock: Clock;
  /** The clock of a stop, which waits in real time even if a test sets the other clock. */
  readonly processClock: Clock;
  readonly log: Log;
  readonly write: Write<DeliveryFact>;
  readonly store: DeliveryStore;
  readonly deliveries: Deliveries;
  readonly secrets: ChannelSecrets;
  readonly sender: Sender;
  /** Whether deliveries wait for the release of a hold. Attempts in flight continue. */
  readonly isHeld: () => boolean;
}

export type Deliverer = ReturnType<typeof createDeliverer>;

interface Report {
  readonly claim: Claim;
  readonly result: AttemptResult;
}

/** The maximum number of claims, and of results, in one write. The rest of the daemon runs between two writes. */
const batchMax = 16;
/** The longest time that a delivery can be overlooked. */
const scanEveryMs = 30_000;
/** Pause after a failed write: the disk may be full. */
const retryMs = 1_000;
/** How long a stop waits for attempts in flight, which end by their own timeout, and for the write of their results. */
const stopMaxMs = limits.webhookTimeoutMs + 1_000;
/** The longest pause between two attempts, even if the clock was set back. */
const longestPauseMs = Math.max(...limits.webhookRetryDelaysMs);

/**
 * Sends queued deliveries. One round writes the results that arrived and the claims that can be sent now, in one write;
 * then it sends the requests. Results stay in memory until their write succeeds. Each channel has its own lane
 * (lane.ts), and no lane waits for another. The first scan finds the deliveries of former daemons, and later scans find
 * deliveries that were overlooked.
 */
export function createDeliverer(parts: DelivererParts) {
  const { clock, log, store, deliveries, secrets, sender } = parts;
  const lanes = createLanes(clock, (channelId) => look(channelId));
  const loop = createLoop({ clock, round: runRound });
  const scans = createLoop({
    clock,
    round: scan,
    onFailure: (error) => {
      log.error("deliverer.failed", { error: describeError(error) });
      return { afterMs: isRecovered ? scanEveryMs : retryMs };
    },
  });
  /** The channels that the next rounds look at. */
  const due = new Set<string>();
  /** Claims of this daemon whose result is not yet on disk. A scan leaves them alone. */
  const held = new Map<string, Abort | null>();
  let reports: Report[] = [];
  let isStopping = false;
  let isRecovered = false;
  const mayBegin = (): boolean => !isStopping && !parts.isHeld();

  return {
    rounds: loop.rounds,
    scans: scans.rounds,
    start: scans.runNow,
    /** Looks at a channel in the next round, for example because a delivery was queued. */
    look,
    /** Looks at all channels, because a hold was released. */
    onHoldReleased: scans.wake,
    /** Aborts the attempts in flight of a deleted channel. */
    forget: (channelId: string): void => {
      for (const [id, abort] of held) if (lanes.isInFlight(channelId, id)) abort?.();
      lanes.remove(channelId);
    },
    /** Begins no more attempts. Attempts in flight continue. */
    halt,
    /** Stops, and resolves when the attempts in flight have ended and their results are on disk. */
    stop: async (): Promise<void> => {
      halt();
      if (held.size > 0) await untilNoneHeld();
      await loop.stop();
      for (let rounds = Math.ceil(reports.length / batchMax); rounds > 0; rounds--) runRound();
      // an attempt still in flight stays claimed: the next daemon takes the claim back, and its attempt counts
      for (const abort of held.values()) abort?.();
      sender.close();
    },
  };

  function halt(): void {
    isStopping = true;
    void scans.stop();
    lanes.stop();
  }

  function look(channelId: string): void {
    due.add(channelId);
    loop.wake();
  }

  function scan(): Next {
    const until = isRecovered ? clock.now() - limits.webhookLeaseMs : undefined;
    const unheld = store.listClaimed(until).filter(({ id }) => !held.has(id));
    if (unheld.length > 0) {
      parts.write((unit) => unheld.forEach((row) => deliveries.takeBack(unit, row)));
      log.info("deliveries.taken_back", { deliveries: unheld.length });
    }
    if (!isRecovered || unheld.length > 0) adoptPaused();
    isRecovered = true;
    for (const channelId of store.listPendingChannels()) due.add(channelId);
    loop.wake();
    return { afterMs: scanEveryMs };
  }

  /** Gives deliveries that a former daemon began a place in their lane, where they wait for the rest of their pause. */
  function adoptPaused(): void {
    for (const { id, channelId, nextAttemptAt } of store.listPaused()) {
      if (lanes.hasBegun(channelId, id)) continue;
      const leftMs = Math.max(0, (nextAttemptAt ?? 0) - clock.now());
      lanes.pause(channelId, id, Math.min(leftMs, longestPauseMs));
    }
  }

  function runRound(): Next {
    const batch = reports.splice(0, batchMax);
    const looked = !mayBegin() || !isRecovered ? [] : [...due].slice(0, batchMax);
    for (const channelId of looked) due.delete(channelId);
    if (batch.length === 0 && looked.length === 0) return null;
    const channelIds = [...new Set([...looked, ...batch.map(({ claim }) => claim.channelId)])];
    const written = writeRound(batch, channelIds);
    if (written === null) {
      reports = [...batch, ...reports];
      return retryLater(looked);
    }
    for (const { claim, result, retryAfterMs } of written.settled) {
      held.delete(claim.id);
      logResult(claim, result, retryAfterMs);
    }
    for (const { claim, row } of written.claims) launch(claim, row);
    try {
      channelIds.forEach(after);
    } catch (error) {
      // the write is committed, so only the next look at the channels is repeated
      log.error("deliverer.failed", { error: describeError(error) });
      return retryLater(channelIds);
    }
    return reports.length > 0 || (due.size > 0 && !isStopping) ? "now" : null;
  }

  /** Writes results and claims. Returns null if the write failed; the lanes are then as before. */
  function writeRound(batch: readonly Report[], channelIds: readonly string[]) {
    try {
      return parts.write((unit) => {
        unit.onUndo(lanes.remember(channelIds));
        const settled = batch.map(({ claim, result }) => {
          const { retryAfterMs } = deliveries.recordResult(unit, claim, result);
          lanes.recordResult(claim, result.kind, retryAfterMs);
          return { claim, result, retryAfterMs };
        });
        return { settled, claims: !mayBegin() ? [] : channelIds.flatMap((channelId) => claimIn(unit, channelId)) };
      });
    } catch (error) {
      log.error("deliverer.round_failed", { error: describeError(error) });
      return null;
    }
  }

  function retryLater(channelIds: readonly string[]): Next {
    for (const channelId of channelIds) due.add(channelId);
    return { afterMs: retryMs };
  }

  /** Claims the deliveries whose pause is over, and as many new ones as the lane has free places. */
  function claimIn(unit: Unit<DeliveryFact>, channelId: string) {
    const again = lanes.listDue(channelId).flatMap((id) => {
      const row = store.find(id);
      if (row?.state === "pending") return [row];
      lanes.end(channelId, id);
      return [];
    });
    const freePlaces = lanes.freePlacesIn(channelId);
    const fresh = freePlaces > 0 ? listNotBegun(channelId, freePlaces) : [];
    return [...again, ...fresh].map((row) => {
      lanes.launch(channelId, row.id);
      return { claim: deliveries.claim(unit, row), row };
    });
  }

  function listNotBegun(channelId: string, limit: number): readonly DeliveryRow[] {
    const rows = store.listPending(channelId, limit + lanes.begunIn(channelId));
    return rows.filter(({ id }) => !lanes.hasBegun(channelId, id)).slice(0, limit);
  }

  /**
   * Starts an attempt. Keeps nothing of the row during the request, so that a thousand hanging requests need little
   * memory.
   */
  function launch(claim: Claim, row: DeliveryRow): void {
    held.set(claim.id, null);
    const { id, event, payload: body, targetSealed } = row;
    const { attempt } = claim;
    try {
      const target = secrets.openSnapshot(id, targetSealed ?? Buffer.alloc(0));
      const abort = sender.send({ id, event, body, target, attempt }, (result) => report({ claim, result }));
      if (held.has(id)) held.set(id, abort);
    } catch (error) {
      log.error("delivery.unsent", { delivery_id: id, error: describeError(error) });
      const diagnostic = "the stored destination of the delivery cannot be decrypted";
      report({ claim, result: { kind: "refused", status: null, diagnostic } });
    }
  }

  function report(each: Report): void {
    reports.push(each);
    loop.wake();
  }

  /**
   * Decides after a round whether the channel needs another: it may have more deliveries than free places, or one in a
   * pause.
   */
  function after(channelId: string): void {
    if (isStopping) return;
    // the timer comes first: then a pause that ends in between is found by the timer or by the check
    lanes.arm(channelId);
    if (lanes.listDue(channelId).length > 0) due.add(channelId);
    if (lanes.freePlacesIn(channelId) === 0) return;
    if (listNotBegun(channelId, 1).length > 0) due.add(channelId);
    else if (lanes.begunIn(channelId) === 0) lanes.remove(channelId);
  }

  function logResult(claim: Claim, result: AttemptResult, retryAfterMs: number | null): void {
    const fields = {
      delivery_id: claim.id,
      channel_id: claim.channelId,
      attempt: claim.attempt,
      status: result.status,
    };
    if (result.kind === "delivered") return log.info("delivery.succeeded", fields);
    const event = retryAfterMs === null ? "delivery.failed" : "delivery.retrying";
    log.warn(event, { ...fields, why: result.diagnostic });
  }

  async function untilNoneHeld(): Promise<void> {
    log.info("deliveries.awaited", { deliveries: held.size });
    const ended = async (): Promise<void> => {
      while (held.size > 0) await loop.rounds.after(loop.rounds.finished + 1);
    };
    await within(parts.processClock, stopMaxMs, ended());
  }
}
