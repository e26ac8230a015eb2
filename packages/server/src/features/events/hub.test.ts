import { ManualClock } from "@belfry/test-kit";
import { describe, expect, test } from "vitest";
import { soon, systemClock } from "../../kernel/clock.ts";
import type { SseFrame } from "../../kernel/operation.ts";
import { createHub } from "./hub.ts";

const deletion = (id: string) => ({ kind: "task", verb: "deleted", id }) as const;
const nextTurn = () => new Promise<void>((resolve) => soon(resolve));

function openHub() {
  const clock = new ManualClock();
  const hub = createHub({ clock, paceClock: systemClock, epoch: "e", capabilities: () => ["tasks"] });
  const subscribe = (kinds: readonly string[] | null = null) => {
    const abort = new AbortController();
    const reader = hub.subscribe(kinds === null ? null : new Set(kinds), abort.signal)[Symbol.asyncIterator]();
    return { abort: () => abort.abort(), next: () => reader.next(), leave: () => reader.return!() };
  };
  return { clock, hub, subscribe, [Symbol.dispose]: () => hub.close() };
}

/** The ids of the deletions in a batch. */
function idsIn(batch: IteratorResult<readonly SseFrame[]>): readonly string[] {
  return batch.done === true
    ? []
    : batch.value.map((frame) => {
        if (!("shared" in frame)) return "";
        return JSON.parse(/^data: (.*)$/m.exec(String(frame.shared))![1]!).id as string;
      });
}

describe("a hub", () => {
  test("greets a reader with its epoch, then hands it hints in their order", async () => {
    using house = openHub();
    const reader = house.subscribe();
    expect(await reader.next()).toEqual({
      done: false,
      value: [{ event: "hello", id: "e-0", json: '{"epoch":"e","capabilities":["tasks"]}' }],
    });
    house.hub.publish("task", () => deletion("one"));
    house.hub.publish("task", () => deletion("two"));
    const ids: string[] = [];
    while (ids.length < 2) ids.push(...idsIn(await reader.next()));
    expect(ids).toEqual(["one", "two"]);
  });

  test("makes no hint that nobody listens for, and no telling of one that came to nothing", async () => {
    using house = openHub();
    let made = 0;
    const make = () => (made++, null);
    house.hub.publish("task", make);
    const reader = house.subscribe(["run"]);
    await reader.next();
    house.hub.publish("task", make);
    expect(made).toBe(0);
    house.hub.publish("run", make);
    expect(made).toBe(1);
    house.hub.publish("run", () => ({ kind: "run", verb: "deleted", id: "r", task_id: "t" }));
    expect(idsIn(await reader.next())).toEqual(["r"]);
  });

  test("hands what came at once over in one piece, encoded once for all who get it", async () => {
    using house = openHub();
    const readers = [house.subscribe(), house.subscribe()];
    for (const reader of readers) await reader.next();
    for (let count = 0; count < 100; count++) house.hub.publish("task", () => deletion(String(count)));
    const batches = await Promise.all(readers.map((reader) => reader.next()));
    const [one, other] = batches.map(({ value }) => value.map((frame: { shared: Uint8Array }) => frame.shared));
    expect(one).toHaveLength(100);
    one.forEach((frame: Uint8Array, index: number) => expect(other[index]).toBe(frame));
  });

  test("tells a reader all of what came while it was served, in order and once, however the rounds fall", async () => {
    using house = openHub();
    const readers = Array.from({ length: 30 }, () => house.subscribe());
    const heard = readers.map(() => [] as string[]);
    let told = 0;
    const reading = readers.map(async (reader, index) => {
      await reader.next();
      while (heard[index]!.length < 1_000) {
        // one in three dawdles now and then
        if (index % 3 === 0 && heard[index]!.length % 7 === 0) await nextTurn();
        heard[index]!.push(...idsIn(await reader.next()));
      }
    });
    while (told < 1_000) {
      for (let burst = 0; burst < 1 + (told % 5) && told < 1_000; burst++) {
        const id = String(told++);
        house.hub.publish("task", () => deletion(id));
      }
      await nextTurn();
    }
    await Promise.all(reading);
    const all = Array.from({ length: 1_000 }, (_, index) => String(index));
    for (const ids of heard) expect(ids).toEqual(all);
  });

  test("serves a thousand readers in slices, between which others have their turn", async () => {
    using house = openHub();
    const readers = Array.from({ length: 1_000 }, () => house.subscribe());
    await Promise.all(readers.map((reader) => reader.next()));
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns++;
      if (!isDone) soon(count);
    };
    soon(count);
    const reading = Promise.all(readers.map(async (reader) => idsIn(await reader.next())));
    house.hub.publish("task", () => deletion("one"));
    expect(new Set((await reading).flat())).toEqual(new Set(["one"]));
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(100);
  });

  test("keeps no reader that has gone, however it went", async () => {
    using house = openHub();
    const [aborted, left, overflowing] = [house.subscribe(), house.subscribe(), house.subscribe()];
    for (const reader of [aborted, left, overflowing]) await reader.next();
    expect(house.hub.size).toBe(3);
    aborted.abort();
    await left.leave();
    expect(house.hub.size).toBe(1);
    for (let count = 0; count <= 256; count++) house.hub.publish("task", () => deletion(String(count)));
    while (house.hub.size > 0) await nextTurn();
    expect(await aborted.next()).toEqual({ done: true, value: undefined });
  });

  test("takes no reader that had gone before it came, and none once it is closed", async () => {
    using house = openHub();
    const gone = house.hub.subscribe(null, AbortSignal.abort());
    expect(house.hub.size).toBe(0);
    expect((await gone[Symbol.asyncIterator]().next()).done).toBe(true);
    house.hub.close();
    const late = house.subscribe();
    expect([(await late.next()).done, house.hub.size]).toEqual([true, 0]);
  });

  test("ends every reader when it closes, also those that wait", async () => {
    using house = openHub();
    const readers = [house.subscribe(), house.subscribe()];
    for (const reader of readers) await reader.next();
    const waiting = readers.map((reader) => reader.next());
    house.hub.close();
    expect((await Promise.all(waiting)).map(({ done }) => done)).toEqual([true, true]);
    expect(house.clock.pendingTimers).toBe(0);
  });
});
