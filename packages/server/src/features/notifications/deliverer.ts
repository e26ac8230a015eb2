import { limits } from "@belfry/contract";
import type { Clock, Timer } from "../../kernel/clock.ts";
import { describeError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { createWake } from "../../kernel/wake.ts";
import type { Unit, Write } from "../../kernel/write.ts";
import type { ChannelSecrets } from "./channel-secrets.ts";
import type { AttemptResult, Claim, Deliveries } from "./deliveries.ts";
import type { DeliveryFact } from "./facts.ts";
import { createLanes, type Lane } from "./lanes.ts";
import type { Abort, Sender } from "./send-webhook.ts";
import type { DeliveryStore } from "./store.ts";
import type { DeliveryRow } from "./table.ts";

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

interface Told {
  readonly claim: Claim;
  readonly lane: Lane;
  readonly result: AttemptResult;
}

/** Claims or results of one write; between two, the rest of the daemon has its turn. */
const batchMax = 16;
/** Never longer: what nobody told of is found by reading. */
const lookAgainMs = 30_000;
/** After a write that failed: the disk may be full. */
const retryMs = 1_000;
/** A stop waits so long for answers that are on their way. */
const stopGraceMs = 1_000;

/**
 * Sends what is queued. One round: what came back and what can be sent now, in one write; then the requests. Results stay in
 * memory until their write succeeds. Each channel has a lane of its own and no lane waits for another: receivers that hang
 * hold their own lanes and a connection each, and nothing else.
 */
export function createDeliverer(parts: DelivererParts) {
  const { clock, log, store, deliveries, secrets, sender } = parts;
  const lanes = createLanes(clock, (channelId) => look(channelId));
  const round = createWake(runRound);
  /** Channels to be looked at in the next rounds. */
  const due = new Set<string>();
  /** Claims of this daemon whose result is not yet on disk: nobody takes them back. */
  const held = new Map<string, Abort | null>();
  let told: Told[] = [];
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
      for (const [id, abort] of held) if (lanes.has(channelId, id)) abort?.();
      lanes.remove(channelId);
    },
    stop: async (): Promise<void> => {
      isStopping = true;
      timer?.cancel();
      lanes.stop();
      if (held.size > 0) await graceOver();
      round.stop();
      retry?.cancel();
      for (let rounds = Math.ceil(told.length / batchMax); rounds > 0; rounds--) runRound();
      // what is still on its way stays claimed, and the next daemon takes it back with its count
      for (const abort of held.values()) abort?.();
      sender.close();
    },
  };

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

  function runRound(): void {
    const batch = told.splice(0, batchMax);
    const looked = isStopping || !isRecovered ? [] : [...due].slice(0, batchMax);
    for (const channelId of looked) due.delete(channelId);
    if (batch.length === 0 && looked.length === 0) return;
    const channelIds = [...new Set([...looked, ...batch.map(({ claim }) => claim.channelId)])];
    const written = writeRound(batch, channelIds);
    if (written === null) {
      told = [...batch, ...told];
      return lookLater(looked);
    }
    for (const { claim, lane, result, retryAfterMs } of written.settled) {
      held.delete(claim.id);
      lanes.settled(lane, claim.id, { isDelivered: result.kind === "delivered", retryAfterMs });
      tellLog(claim, result, retryAfterMs);
    }
    for (const { claim, row, lane } of written.claims) launch(claim, row, lane);
    try {
      channelIds.forEach(after);
    } catch (error) {
      // what was written stands
      log.error("deliverer.failed", { error: describeError(error) });
      return lookLater(channelIds);
    }
    if (told.length > 0 || (due.size > 0 && !isStopping)) round.wake();
    if (held.size === 0) onIdle?.();
  }

  /** Null when nothing of it was written. */
  function writeRound(batch: readonly Told[], channelIds: readonly string[]) {
    try {
      return parts.write((unit) => ({
        settled: batch.map((each) => ({ ...each, ...deliveries.settle(unit, each.claim, each.result) })),
        claims: claimFor(unit, channelIds, batch),
      }));
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

  /** What each lane has room for. The rows of this very round's results are seen as the write has left them. */
  function claimFor(unit: Unit<DeliveryFact>, channelIds: readonly string[], settling: readonly Told[]) {
    if (isStopping) return [];
    return channelIds.flatMap((channelId) => {
      const lane = lanes.open(channelId);
      const own = settling.filter((each) => each.lane === lane);
      const wanted = lanes.roomIn(
        lane,
        own.map(({ result }) => result.kind === "delivered"),
      );
      if (wanted <= 0) return [];
      const justSettled = new Set(own.map(({ claim }) => claim.id));
      return store
        .listPending(channelId, wanted + lanes.waitingIn(lane) + own.length)
        .filter((row) => !justSettled.has(row.id) && lanes.isDue(lane, row))
        .slice(0, wanted)
        .map((row) => ({ claim: deliveries.claim(unit, row), row, lane }));
    });
  }

  /** Nothing of the row is held while its request is on its way: a thousand that hang hold little. */
  function launch(claim: Claim, row: DeliveryRow, lane: Lane): void {
    lanes.launched(lane, claim.id);
    held.set(claim.id, null);
    const { id, event, payload: body, targetSealed } = row;
    try {
      const target = secrets.openSnapshot(id, targetSealed ?? Buffer.alloc(0));
      const abort = sender.send({ id, event, body, target, attempt: claim.attempt }, (result) => hear({ claim, lane, result }));
      if (held.has(id)) held.set(id, abort);
    } catch (error) {
      log.error("delivery.unsent", { delivery_id: id, error: describeError(error) });
      const diagnostic = "its stored destination cannot be opened";
      hear({ claim, lane, result: { kind: "refused", status: null, diagnostic } });
    }
  }

  function hear(each: Told): void {
    told.push(each);
    round.wake();
  }

  /** There may be more than there was room for, or something that waits for its time. */
  function after(channelId: string): void {
    const lane = lanes.find(channelId);
    if (lane === null || isStopping) return;
    // the timer first: what falls due between the two is then seen by one of them
    lanes.arm(lane);
    if (lanes.roomIn(lane) <= 0) return;
    const pending = store.listPending(channelId, lanes.waitingIn(lane) + 1);
    if (pending.some((row) => lanes.isDue(lane, row))) due.add(channelId);
    else if (pending.length === 0 && lanes.isIdle(lane)) lanes.remove(channelId);
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

  function graceOver(): Promise<void> {
    return new Promise((resolve) => {
      const grace = parts.processClock.after(stopGraceMs, resolve, { hold: true });
      onIdle = () => {
        grace.cancel();
        resolve();
      };
    });
  }
}
