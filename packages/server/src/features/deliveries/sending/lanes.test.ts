import { ManualClock } from "@belfry/test-kit";
import { fc } from "@belfry/test-kit/properties";
import { expect, test } from "vitest";
import { createLanes } from "./lanes.ts";

const extraPlaces = 256;

function openLanes() {
  const clock = new ManualClock();
  const lanes = createLanes(clock, () => {});
  let made = 0;
  const begin = (channelId: string): string => {
    const id = `dlv_${++made}`;
    lanes.launch(channelId, id);
    return id;
  };
  const claimOf = (channelId: string, id: string) => ({ id, channelId, attempt: 1 });
  return {
    clock,
    lanes,
    begin,
    /** Begins as many deliveries as the lane has free places. */
    fill: (channelId: string): readonly string[] =>
      Array.from({ length: lanes.freePlacesIn(channelId) }, () => begin(channelId)),
    fail: (channelId: string, id: string, retryAfterMs: number | null): void =>
      lanes.recordResult(claimOf(channelId, id), "refused", retryAfterMs),
    succeed: (channelId: string, id: string): void => lanes.recordResult(claimOf(channelId, id), "delivered", null),
  };
}

test("a lane has one place at first, at most eight after successes, and four after a failure", () => {
  const { lanes, fill, fail, succeed } = openLanes();
  for (const places of [1, 2, 4, 8, 8]) {
    const begun = fill("a");
    expect(begun).toHaveLength(places);
    succeed("a", begun[0]!);
    for (const id of begun.slice(1)) lanes.end("a", id);
  }
  const [only] = fill("b");
  fail("b", only!, null);
  expect(lanes.freePlacesIn("b")).toBe(4);
});

test("a delivery keeps its place through its pauses, and is due when its pause is over", async () => {
  const { clock, lanes, fill, fail } = openLanes();
  const [id] = fill("a");
  fail("a", id!, 1_000);
  expect(lanes.freePlacesIn("a")).toBe(3);
  await clock.advance(999);
  expect(lanes.listDue("a")).toEqual([]);
  await clock.advance(1);
  expect(lanes.listDue("a")).toEqual([id]);
  lanes.launch("a", id!);
  expect([lanes.freePlacesIn("a"), lanes.listDue("a")]).toEqual([3, []]);
  fail("a", id!, null);
  expect(lanes.freePlacesIn("a")).toBe(4);
});

test("failing lanes share 256 extra places, and each lane has one place besides them", () => {
  const { lanes, fill, fail } = openLanes();
  const channels = Array.from({ length: 1_000 }, (_, nth) => `channel ${nth}`);
  const first = channels.map((channelId) => fill(channelId)[0]!);
  channels.forEach((channelId, nth) => fail(channelId, first[nth]!, 1_000));
  channels.forEach(fill);
  const begun = () => channels.reduce((sum, channelId) => sum + lanes.begunIn(channelId), 0);
  expect(begun()).toBe(channels.length + extraPlaces);
  // the next lane that asks gets a freed place
  lanes.end(channels[0]!, first[0]!);
  expect([lanes.freePlacesIn(channels[0]!), lanes.freePlacesIn(channels[999]!)]).toEqual([1, 1]);
  fill(channels[999]!);
  expect(lanes.freePlacesIn(channels[0]!)).toBe(0);
  for (const channelId of channels.slice(0, 100)) lanes.remove(channelId);
  channels.slice(100).forEach(fill);
  expect(begun()).toBe(900 + extraPlaces);
});

test("a failed write leaves the lanes in their former state", () => {
  const { lanes, begin, fill, fail, succeed } = openLanes();
  const [id] = fill("a");
  fail("a", id!, 1_000);
  fill("a");
  const undo = lanes.remember(["a", "b"]);
  succeed("a", id!);
  begin("b");
  undo();
  expect([lanes.begunIn("a"), lanes.freePlacesIn("a"), lanes.isInFlight("a", id!)]).toEqual([4, 0, false]);
  expect([lanes.begunIn("b"), lanes.freePlacesIn("b")]).toEqual([0, 1]);
});

test("whatever happens, a failing lane begins nothing beyond its own place while the extra places are taken", () => {
  const step = fc.tuple(fc.nat(199), fc.constantFrom("begin", "begin", "fail", "fail", "end", "succeed", "remove"));
  fc.assert(
    fc.property(fc.array(step, { minLength: 2_000, maxLength: 4_000 }), (steps) => {
      const { lanes, fill, fail, succeed } = openLanes();
      const model = new Map<string, { readonly begun: Set<string>; isFailing: boolean }>();
      for (const [nth, what] of steps) {
        const channelId = `channel ${nth}`;
        const lane = model.get(channelId) ?? { begun: new Set<string>(), isFailing: false };
        model.set(channelId, lane);
        const [oldest] = lane.begun;
        if (what === "begin") for (const id of fill(channelId)) lane.begun.add(id);
        else if (what === "remove") {
          lanes.remove(channelId);
          model.delete(channelId);
        } else if (oldest !== undefined) {
          if (what === "fail") fail(channelId, oldest, 1_000);
          else lane.begun.delete(oldest);
          if (what === "succeed") succeed(channelId, oldest);
          if (what === "end") lanes.end(channelId, oldest);
          if (what !== "end") lane.isFailing = what === "fail";
        }
        const extra = [...model.values()].reduce(
          (sum, { begun, isFailing }) => sum + (isFailing ? Math.max(0, begun.size - 1) : 0),
          0,
        );
        const now = model.get(channelId);
        if (now?.isFailing !== true) continue;
        const ownRoom = now.begun.size === 0 ? 1 : 0;
        const freePlaces = Math.max(0, 4 - now.begun.size);
        const extraFree = Math.max(0, extraPlaces - extra);
        expect(lanes.freePlacesIn(channelId)).toBe(Math.min(freePlaces, ownRoom + extraFree));
      }
    }),
    { numRuns: 30 },
  );
});
