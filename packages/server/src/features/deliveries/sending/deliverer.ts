import { limits } from "@belfry/contract";
import type { Clock, Timer } from "../../../kernel/time/clock.ts";
import { describeError } from "../../../kernel/errors/errors.ts";
import type { Log } from "../../../kernel/log/log.ts";
import { createWake } from "../../../kernel/time/wake.ts";
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
  /** A stop waits in real time, whatever the calendar says. */
  readonly processClock: Clock;
  readonly log: Log;
  readonly write: Write<DeliveryFact>;
  readonly store: DeliveryStore;
  readonly deliveries: Deliveries;
  readonly secrets: ChannelSecrets;
  readonly sender: Sender;
}

export type Deliverer = ReturnType<typeof createDeliverer>;

interface Report {
  readonly claim: Claim;
  readonly result: AttemptResult;
}

/** Claims or results of one write; between two, the rest of the daemon has its turn. */
const batchMax = 16;
/** Never longer: what nobody told of is found by reading. */
const lookAgainMs = 30_000;
/** After a write that failed: the disk may be full. */
const retryMs = 1_000;
/** A stop waits for attempts in flight, which end by their own timeout, and for the write of their results. */
const stopMaxMs = limits.webhookTimeoutMs + 1_000;
/** A clock that was set back makes no pause longer. */
const longestPauseMs = Math.max(...limits.webhookRetryDelaysMs);

/**
 * Sends what is queued. One round: what came back and what can be sent now, in one write; then the requests. Results stay in
 * memory until their write succeeds. Each channel has a lane of its own (lane.ts), and no lane waits for another.
 */
export function createDeliverer(parts: DelivererParts) {
  const { clock, log, store, deliveries, secrets, sender } = parts;
  const lanes = createLanes(clock, (channelId) => look(channelId));
  const round = createWake(runRound);
  /** Channels to be looked at in the next rounds. */
  const due = new Set<string>();
  /** Claims of this daemon whose result is not yet on disk: nobody takes them back. */
  const held = new Map<string, Abort | null>();
  let reports: Report[] = [];
  let timer: Timer | null = null;
  let retry: Timer | null = null;
  let isStopping = false;
  let isRecovered = false;
  let onIdle: (() => void) | null = null;

  return {
    start: (): void => lookAtAll(),
    /** Something was queued. */
    look,
    /** The channel has gone: what is on its way is broken off. */
    forget: (channelId: string): void => {
      for (const [id, abort] of held) if (lanes.isInFlight(channelId, id)) abort?.();
      lanes.remove(channelId);
    },
    /** No attempt begins any more; those in flight go on. */
    halt,
    /** Resolves when the attempts in flight have ended and their results are on disk. */
    stop: async (): Promise<void> => {
      halt();
      if (held.size > 0) await untilIdle();
      round.stop();
      retry?.cancel();
      for (let rounds = Math.ceil(reports.length / batchMax); rounds > 0; rounds--) runRound();
      // what is still on its way stays claimed, and the next daemon takes it back with its count
      for (const abort of held.values()) abort?.();
      sender.close();
    },
  };

  function halt(): void {
    isStopping = true;
    timer?.cancel();
    lanes.stop();
  }

  function look(channelId: string): void {
    due.add(channelId);
    round.wake();
  }

  /** At first what a former daemon left, and every channel with something to send; later whatever slipped through. */
  function lookAtAll(): void {
    if (isStopping) return;
    timer = clock.after(isRecovered ? lookAgainMs : retryMs, lookAtAll);
    try {
      const until = isRecovered ? clock.now() - limits.webhookLeaseMs : undefined;
      const unheld = store.listClaimed(until).filter(({ id }) => !held.has(id));
      if (unheld.length > 0) {
        parts.write((unit) => unheld.forEach((row) => deliveries.takeBack(unit, row)));
        log.info("deliveries.taken_back", { deliveries: unheld.length });
      }
      if (!isRecovered || unheld.length > 0) adoptPaused();
      if (!isRecovered) {
        isRecovered = true;
        timer.cancel();
        timer = clock.after(lookAgainMs, lookAtAll);
      }
      for (const channelId of store.listPendingChannels()) due.add(channelId);
      round.wake();
    } catch (error) {
      log.error("deliverer.failed", { error: describeError(error) });
    }
  }

  /** What began without these lanes has its place in them, and waits for the rest of its pause. */
  function adoptPaused(): void {
    for (const { id, channelId, nextAttemptAt } of store.listPaused()) {
      if (lanes.hasBegun(channelId, id)) continue;
      const leftMs = Math.max(0, (nextAttemptAt ?? 0) - clock.now());
      lanes.pause(channelId, id, Math.min(leftMs, longestPauseMs));
    }
  }

  function runRound(): void {
    const batch = reports.splice(0, batchMax);
    const looked = isStopping || !isRecovered ? [] : [...due].slice(0, batchMax);
    for (const channelId of looked) due.delete(channelId);
    if (batch.length === 0 && looked.length === 0) return;
    const channelIds = [...new Set([...looked, ...batch.map(({ claim }) => claim.channelId)])];
    const written = writeRound(batch, channelIds);
    if (written === null) {
      reports = [...batch, ...reports];
      return lookLater(looked);
    }
    for (const { claim, result, retryAfterMs } of written.settled) {
      held.delete(claim.id);
      tellLog(claim, result, retryAfterMs);
    }
    for (const { claim, row } of written.claims) launch(claim, row);
    try {
      channelIds.forEach(after);
    } catch (error) {
      // what was written stands
      log.error("deliverer.failed", { error: describeError(error) });
      return lookLater(channelIds);
    }
    if (reports.length > 0 || (due.size > 0 && !isStopping)) round.wake();
    if (held.size === 0) onIdle?.();
  }

  /** Null when nothing of it was written; then the lanes are as before. */
  function writeRound(batch: readonly Report[], channelIds: readonly string[]) {
    try {
      return parts.write((unit) => {
        unit.onUndo(lanes.remember(channelIds));
        const settled = batch.map(({ claim, result }) => {
          const { retryAfterMs } = deliveries.settle(unit, claim, result);
          lanes.settle(claim, result.kind, retryAfterMs);
          return { claim, result, retryAfterMs };
        });
        return { settled, claims: isStopping ? [] : channelIds.flatMap((channelId) => claimIn(unit, channelId)) };
      });
    } catch (error) {
      log.error("deliverer.round_failed", { error: describeError(error) });
      return null;
    }
  }

  function lookLater(channelIds: readonly string[]): void {
    for (const channelId of channelIds) due.add(channelId);
    retry?.cancel();
    retry = clock.after(retryMs, round.wake);
  }

  /** What is due again, and as many that have not begun as the lane has room for. */
  function claimIn(unit: Unit<DeliveryFact>, channelId: string) {
    const again = lanes.listDue(channelId).flatMap((id) => {
      const row = store.find(id);
      if (row?.state === "pending") return [row];
      lanes.end(channelId, id);
      return [];
    });
    const room = lanes.roomIn(channelId);
    const fresh = room > 0 ? listNotBegun(channelId, room) : [];
    return [...again, ...fresh].map((row) => {
      lanes.launch(channelId, row.id);
      return { claim: deliveries.claim(unit, row), row };
    });
  }

  function listNotBegun(channelId: string, limit: number): readonly DeliveryRow[] {
    const rows = store.listPending(channelId, limit + lanes.begunIn(channelId));
    return rows.filter(({ id }) => !lanes.hasBegun(channelId, id)).slice(0, limit);
  }

  /** Nothing of the row is held while its request is on its way: a thousand that hang hold little. */
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
      const diagnostic = "its stored destination cannot be opened";
      report({ claim, result: { kind: "refused", status: null, diagnostic } });
    }
  }

  function report(each: Report): void {
    reports.push(each);
    round.wake();
  }

  /** There may be more than there was room for, or something that waits for its time. */
  function after(channelId: string): void {
    if (isStopping) return;
    // the timer first: what falls due between the two is then seen by one of them
    lanes.arm(channelId);
    if (lanes.listDue(channelId).length > 0) due.add(channelId);
    if (lanes.roomIn(channelId) === 0) return;
    if (listNotBegun(channelId, 1).length > 0) due.add(channelId);
    else if (lanes.begunIn(channelId) === 0) lanes.remove(channelId);
  }

  function tellLog(claim: Claim, result: AttemptResult, retryAfterMs: number | null): void {
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

  function untilIdle(): Promise<void> {
    log.info("deliveries.awaited", { deliveries: held.size });
    return new Promise((resolve) => {
      const limit = parts.processClock.after(stopMaxMs, resolve, { hold: true });
      onIdle = () => {
        limit.cancel();
        resolve();
      };
    });
  }
}
