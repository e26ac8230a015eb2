import { limits } from "@belfry/contract";
import type { Clock, Timer } from "../../kernel/clock.ts";
import type { DeliveryRow } from "./table.ts";

/** Requests to one receiver at once, as long as it takes them well. */
const widthMax = 8;
const longestDelayMs = Math.max(...limits.webhookRetryDelaysMs);

/** What is on its way to one channel, and what waits there for its next attempt. Of memory only: the rows are the truth. */
export interface Lane {
  readonly channelId: string;
  /** Delivery ids. */
  readonly inFlight: Set<string>;
  /** How many at once: one until an answer was good, then more; one again after a failure, so that who hangs holds little. */
  width: number;
  /** By delivery, when its next attempt is due by the monotonic clock: people may set the other. */
  readonly waiting: Map<string, number>;
  timer: Timer | null;
}

export type Lanes = ReturnType<typeof createLanes>;

export function createLanes(clock: Clock, onDue: (channelId: string) => void) {
  const lanes = new Map<string, Lane>();

  return {
    find: (channelId: string): Lane | null => lanes.get(channelId) ?? null,
    open: (channelId: string): Lane => {
      const known = lanes.get(channelId);
      if (known !== undefined) return known;
      const lane: Lane = { channelId, inFlight: new Set(), width: 1, waiting: new Map(), timer: null };
      lanes.set(channelId, lane);
      return lane;
    },
    has: (channelId: string, deliveryId: string): boolean => lanes.get(channelId)?.inFlight.has(deliveryId) ?? false,
    remove: (channelId: string): void => {
      lanes.get(channelId)?.timer?.cancel();
      lanes.delete(channelId);
    },
    /** Requests that may be sent besides those on their way, once these results are settled. */
    roomIn: (lane: Lane, settling: readonly boolean[] = []): number =>
      settling.reduce(nextWidth, lane.width) - (lane.inFlight.size - settling.length),
    waitingIn: (lane: Lane): number => lane.waiting.size,
    isIdle: (lane: Lane): boolean => lane.inFlight.size === 0 && lane.waiting.size === 0,

    /** A first attempt always is; a later one after its pause, of which a former daemon may have waited a part. */
    isDue: (lane: Lane, row: DeliveryRow): boolean => {
      if (row.attemptCount === 0 && !lane.waiting.has(row.id)) return true;
      let dueAt = lane.waiting.get(row.id);
      if (dueAt === undefined) {
        const left = Math.min((row.nextAttemptAt ?? 0) - clock.now(), longestDelayMs);
        if (left <= 0) return true;
        dueAt = clock.monotonicMs() + left;
        lane.waiting.set(row.id, dueAt);
      }
      return dueAt <= clock.monotonicMs();
    },

    launched: (lane: Lane, deliveryId: string): void => {
      lane.inFlight.add(deliveryId);
      lane.waiting.delete(deliveryId);
    },
    settled: (
      lane: Lane,
      deliveryId: string,
      how: { readonly isDelivered: boolean; readonly retryAfterMs: number | null },
    ): void => {
      lane.inFlight.delete(deliveryId);
      lane.width = nextWidth(lane.width, how.isDelivered);
      if (how.retryAfterMs !== null) lane.waiting.set(deliveryId, clock.monotonicMs() + how.retryAfterMs);
    },

    /** Looks again when the first of those that wait is due. */
    arm: (lane: Lane): void => {
      lane.timer?.cancel();
      lane.timer = null;
      const now = clock.monotonicMs();
      // what is due already goes when there is room, which an answer tells of
      const ahead = [...lane.waiting.values()].filter((dueAt) => dueAt > now);
      if (ahead.length === 0) return;
      lane.timer = clock.after(Math.min(...ahead) - now, () => onDue(lane.channelId));
    },
    stop: (): void => {
      for (const lane of lanes.values()) lane.timer?.cancel();
    },
  };
}

function nextWidth(width: number, isDelivered: boolean): number {
  return isDelivered ? Math.min(width * 2, widthMax) : 1;
}
