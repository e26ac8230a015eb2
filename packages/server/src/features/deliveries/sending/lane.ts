/*
 * The lane of a channel: how many of its deliveries may be under way.
 *
 * A delivery takes a place in its channel's lane with its first attempt, and keeps it until it ends: during its attempts and
 * during the pauses between them. So no other delivery delays its next attempt, which comes 1 s after the first failure and
 * 2 s after the second.
 *
 * new      Nothing is known of the receiver. One place.
 * healthy  The last attempt was a success. Each success doubles the places, up to eight.
 * failing  The last attempt was a failure. Four places: one of the lane's own, and three extra places out of 256 that all
 *          failing lanes share. While those are taken, a failing lane has one place.
 *
 * new, healthy, failing -> healthy with a success; -> failing with a failure.
 * A lane that fails with more than four deliveries begun takes no new one until fewer than four are left; what has begun keeps
 * its place. A lane with nothing left to do is forgotten, and begins as new.
 *
 * So receivers that hang take one connection a channel and 256 more, besides those in flight when they began to hang.
 */

export interface Lane {
  /** Deliveries that have a place: in flight (null), or in a pause until this time of the monotonic clock. */
  readonly begun: ReadonlyMap<string, number | null>;
  readonly places: number;
  readonly isFailing: boolean;
}

const healthyPlacesMax = 8;
const failingPlaces = 4;
/** Over all failing lanes, besides the one place that each has. */
export const extraPlacesMax = 256;

export const newLane: Lane = { begun: new Map(), places: 1, isFailing: false };

/** Adds the delivery, or moves it between an attempt and a pause. */
export function withBegun(lane: Lane, deliveryId: string, dueAt: number | null): Lane {
  return { ...lane, begun: new Map(lane.begun).set(deliveryId, dueAt) };
}

export function withoutBegun(lane: Lane, deliveryId: string): Lane {
  const begun = new Map(lane.begun);
  begun.delete(deliveryId);
  return { ...lane, begun };
}

export function afterSuccess(lane: Lane): Lane {
  return { ...lane, places: Math.min(lane.places * 2, healthyPlacesMax), isFailing: false };
}

export function afterFailure(lane: Lane): Lane {
  return { ...lane, places: failingPlaces, isFailing: true };
}

/** The extra places that the lane holds. */
export function extraPlacesOf({ isFailing, begun }: Lane): number {
  return isFailing ? Math.max(0, begun.size - 1) : 0;
}

/** How many deliveries may begin, while so many extra places are free. */
export function roomIn({ isFailing, begun, places }: Lane, extraFree: number): number {
  const free = Math.max(0, places - begun.size);
  if (!isFailing) return free;
  const own = begun.size === 0 ? 1 : 0;
  return Math.min(free, own + Math.max(0, extraFree));
}
