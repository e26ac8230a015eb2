/*
 * The lane of a channel: the limit of its concurrent deliveries.
 *
 * A delivery takes a place in the lane with its first attempt, and keeps it until it ends, also between its attempts. So no
 * other delivery delays its next attempt, which follows 1 s after the first failure and 2 s after the second.
 *
 * new      Nothing is known of the receiver. One place.
 * healthy  The last attempt was a success. Each success doubles the places, up to eight.
 * failing  The last attempt was a failure. Four places: one of the lane's own, and three extra places out of 256 that all
 *          failing lanes share. While those are taken, a failing lane has one place.
 *
 * new, healthy, failing -> healthy with a success; -> failing with a failure.
 * A lane that fails with more than four deliveries in progress takes no new one until fewer than four are left; those keep
 * their places. A lane without deliveries is removed, and starts as new.
 *
 * So receivers that hang use one connection for each channel and 256 more, plus those in flight when they began to hang.
 */

export interface Lane {
  /** Deliveries that have a place: in flight (null), or in a pause until this time of the monotonic clock. */
  readonly begun: ReadonlyMap<string, number | null>;
  readonly places: number;
  readonly isFailing: boolean;
}

const healthyPlacesMax = 8;
const failingPlaces = 4;
/** Shared by all failing lanes, in addition to the one place of each. */
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

/** Counts the extra places that the lane holds. */
export function extraPlacesOf({ isFailing, begun }: Lane): number {
  return isFailing ? Math.max(0, begun.size - 1) : 0;
}

/** Counts the deliveries that may begin with this many free extra places. */
export function freePlacesIn({ isFailing, begun, places }: Lane, extraFree: number): number {
  const free = Math.max(0, places - begun.size);
  if (!isFailing) return free;
  const own = begun.size === 0 ? 1 : 0;
  return Math.min(free, own + Math.max(0, extraFree));
}
