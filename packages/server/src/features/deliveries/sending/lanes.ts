import type { Clock, Timer } from "../../../kernel/time/clock.ts";
import type { AttemptResult, Claim } from "../service.ts";
import {
  afterFailure,
  afterSuccess,
  extraPlacesMax,
  extraPlacesOf,
  type Lane,
  newLane,
  freePlacesIn,
  withBegun,
  withoutBegun,
} from "./lane.ts";

export type Lanes = ReturnType<typeof createLanes>;

/**
 * Creates the lanes of all channels with something to send. They live in memory only: the rows are the truth. The
 * monotonic clock measures their pauses, because people may set the wall clock.
 */
export function createLanes(clock: Clock, onDue: (channelId: string) => void) {
  const lanes = new Map<string, Lane>();
  const timers = new Map<string, Timer>();
  let extraTaken = 0;

  return {
    hasBegun: (channelId: string, deliveryId: string): boolean => laneOf(channelId).begun.has(deliveryId),
    isInFlight: (channelId: string, deliveryId: string): boolean => laneOf(channelId).begun.get(deliveryId) === null,
    begunIn: (channelId: string): number => laneOf(channelId).begun.size,
    freePlacesIn: (channelId: string): number => freePlacesIn(laneOf(channelId), extraPlacesMax - extraTaken),
    /** Lists the deliveries whose pause is over. */
    listDue: (channelId: string): readonly string[] => {
      const now = clock.monotonicMs();
      return [...laneOf(channelId).begun].filter(([, dueAt]) => dueAt !== null && dueAt <= now).map(([id]) => id);
    },

    launch: (channelId: string, deliveryId: string): void =>
      set(channelId, withBegun(laneOf(channelId), deliveryId, null)),
    pause,
    end,
    /** Records how the receiver responded, and whether the delivery continues. */
    recordResult: (claim: Claim, kind: AttemptResult["kind"], retryAfterMs: number | null): void => {
      if (retryAfterMs === null) end(claim.channelId, claim.id);
      else pause(claim.channelId, claim.id, retryAfterMs);
      const lane = laneOf(claim.channelId);
      if (kind === "delivered") set(claim.channelId, afterSuccess(lane));
      if (kind === "refused") set(claim.channelId, afterFailure(lane));
    },
    remove,

    /** Takes a snapshot of the lanes. The returned function restores it, for a write that fails. */
    remember: (channelIds: readonly string[]): (() => void) => {
      const before = channelIds.map((channelId) => [channelId, laneOf(channelId)] as const);
      return () => before.forEach(([channelId, lane]) => set(channelId, lane));
    },

    /** Sets the timer for the end of the first pause. */
    arm: (channelId: string): void => {
      timers.get(channelId)?.cancel();
      timers.delete(channelId);
      const now = clock.monotonicMs();
      // the next round already takes the deliveries whose pause is over
      const ahead = [...laneOf(channelId).begun.values()].filter((dueAt) => dueAt !== null && dueAt > now);
      if (ahead.length === 0) return;
      const delayMs = Math.min(...(ahead as number[])) - now;
      timers.set(
        channelId,
        clock.after(delayMs, () => onDue(channelId)),
      );
    },
    stop: (): void => {
      for (const timer of timers.values()) timer.cancel();
    },
  };

  function laneOf(channelId: string): Lane {
    return lanes.get(channelId) ?? newLane;
  }

  function pause(channelId: string, deliveryId: string, delayMs: number): void {
    set(channelId, withBegun(laneOf(channelId), deliveryId, clock.monotonicMs() + delayMs));
  }

  function end(channelId: string, deliveryId: string): void {
    set(channelId, withoutBegun(laneOf(channelId), deliveryId));
  }

  function set(channelId: string, lane: Lane): void {
    extraTaken += extraPlacesOf(lane) - extraPlacesOf(laneOf(channelId));
    lanes.set(channelId, lane);
  }

  function remove(channelId: string): void {
    timers.get(channelId)?.cancel();
    timers.delete(channelId);
    extraTaken -= extraPlacesOf(laneOf(channelId));
    lanes.delete(channelId);
  }
}
