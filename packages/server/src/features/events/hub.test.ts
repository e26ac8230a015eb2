import { ManualClock, until } from "@belfry/test-kit";
import { describe, expect, test } from "vitest";
import { soon, systemClock } from "../../kernel/time/clock.ts";
import { createHub } from "./hub.ts";

const deletion = (id: string) => ({ kind: "task", verb: "deleted", id }) as const;

function openHub() {
  const clock = new ManualClock();
  /** The pauses between slices, in milliseconds. */
  const pauses: number[] = [];
  const rest = { isHeld: false, goOn: () => {} };
  const paceClock = {
    after: (delayMs: number, work: () => void) => {
      pauses.push(delayMs);
      if (!rest.isHeld) return systemClock.after(delayMs, work);
      rest.goOn = work;
      return { cancel: () => {} };
    },
  };
  const hub = createHub({ clock, paceClock, epoch: "e", capabilities: () => ["tasks"] });
  const subscribe = (kinds: readonly string[] | null = null) => {
    const reader = {
      /** The ids of the deletions that the reader received. */
      ids: [] as string[],
      frames: [] as Uint8Array[],
      pieces: 0,
      greeting: null as unknown,
      isFull: false,
      isEnded: false,
    };
    const source = hub.subscribe(kinds === null ? null : new Set(kinds), {
      write: (frames) => {
        reader.pieces++;
        for (const frame of frames) {
          if (!("shared" in frame)) reader.greeting ??= frame;
          else {
            reader.frames.push(frame.shared);
            reader.ids.push(JSON.parse(/^data: (.*)$/m.exec(String(frame.shared))![1]!).id as string);
          }
        }
        return !reader.isFull;
      },
      end: () => void (reader.isEnded = true),
    });
    return Object.assign(reader, source, { close: source.close, onReady: source.onReady });
  };
  return { clock, hub, subscribe, pauses, rest, [Symbol.dispose]: () => hub.close() };
}

describe("a hub", () => {
  test("greets a reader with its epoch, then hands it events in their order", async () => {
    using app = openHub();
    const reader = app.subscribe();
    expect(reader.greeting).toEqual({ event: "hello", id: "e-0", json: '{"epoch":"e","capabilities":["tasks"]}' });
    app.hub.publish("task", () => deletion("one"));
    app.hub.publish("task", () => deletion("two"));
    await until("both", () => reader.ids.length === 2);
    expect(reader.ids).toEqual(["one", "two"]);
  });

  test("builds no event without a reader for its kind, and sends no event whose builder returns null", async () => {
    using app = openHub();
    let made = 0;
    const make = () => (made++, null);
    app.hub.publish("task", make);
    const reader = app.subscribe(["run"]);
    app.hub.publish("task", make);
    expect(made).toBe(0);
    app.hub.publish("run", make);
    expect(made).toBe(1);
    app.hub.publish("run", () => ({ kind: "run", verb: "deleted", id: "r", task_id: "t" }));
    await until("the event", () => reader.ids.length > 0);
    expect(reader.ids).toEqual(["r"]);
    reader.close();
    app.hub.publish("run", make);
    expect(made).toBe(1);
  });

  test("sends simultaneous events in one piece, encoded once for all readers", async () => {
    using app = openHub();
    const readers = [app.subscribe(), app.subscribe()] as const;
    for (let count = 0; count < 100; count++) app.hub.publish("task", () => deletion(String(count)));
    await until("all of it", () => readers.every(({ ids }) => ids.length === 100));
    expect(readers.map(({ pieces }) => pieces)).toEqual([2, 2]);
    readers[0].frames.forEach((frame, index) => expect(readers[1].frames[index]).toBe(frame));
  });

  test("sends a reader every event published during a round, once and in order, whatever the timing", async () => {
    using app = openHub();
    const readers = Array.from({ length: 30 }, () => app.subscribe());
    const nextTurn = () => new Promise<void>((resolve) => soon(resolve));
    for (let published = 0; published < 1_000;) {
      for (let burst = 0; burst < 1 + (published % 5) && published < 1_000; burst++) {
        const id = String(published++);
        app.hub.publish("task", () => deletion(id));
      }
      // every third reader is full from time to time
      readers.forEach((reader, index) => {
        if (index % 3 > 0) return;
        reader.isFull = (published + index) % 4 === 0;
        reader.onReady();
      });
      await nextTurn();
    }
    for (const reader of readers) {
      reader.isFull = false;
      reader.onReady();
    }
    await until("all of it", () => readers.every(({ ids }) => ids.length >= 1_000));
    const all = Array.from({ length: 1_000 }, (_, index) => String(index));
    for (const { ids } of readers) expect(ids).toEqual(all);
  });

  test("serves a thousand readers in slices, and other work runs in between", async () => {
    using app = openHub();
    const readers = Array.from({ length: 1_000 }, () => app.subscribe());
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns++;
      if (!isDone) soon(count);
    };
    soon(count);
    app.hub.publish("task", () => deletion("one"));
    await until("the last reader", () => readers.every(({ ids }) => ids.length === 1));
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(100);
  });

  test("serves fewer readers per slice, and rests longer, if each gets many bytes", async () => {
    using app = openHub();
    const readers = Array.from({ length: 64 }, () => app.subscribe());
    let [servedBefore, most] = [0, 0];
    let isDone = false;
    const count = (): void => {
      const served = readers.filter(({ ids }) => ids.length > 0).length;
      most = Math.max(most, served - servedBefore);
      servedBefore = served;
      if (!isDone) soon(count);
    };
    soon(count);
    app.hub.publish("task", () => deletion("x".repeat(70_000)));
    await until("the last reader", () => readers.every(({ ids }) => ids.length === 1));
    isDone = true;
    expect(most).toBe(1);
    expect(app.pauses.length).toBeGreaterThanOrEqual(63);
    expect(Math.min(...app.pauses)).toBeGreaterThan(3.4);
  });

  test("sends a reader all events of a round, even if they need several pieces", async () => {
    using app = openHub();
    const readers = Array.from({ length: 3 }, () => app.subscribe());
    for (let count = 0; count < 2_000; count++) app.hub.publish("task", () => deletion(String(count)));
    await until("all of it", () => readers.every(({ ids }) => ids.length === 2_000));
    for (const { ids } of readers) expect(ids).toEqual(Array.from({ length: 2_000 }, (_, index) => String(index)));
  });

  test("skips unwanted events in slices as well", async () => {
    using app = openHub();
    const others = Array.from({ length: 1_000 }, () => app.subscribe(["run"]));
    const reader = app.subscribe(["task"]);
    for (let count = 0; count < 10_000; count++) app.hub.publish("task", () => deletion(String(count)));
    await until("all of it", () => reader.ids.length === 10_000);
    expect(others.map(({ ids }) => ids.length)).toEqual(others.map(() => 0));
    // ten million events are inspected, 131,072 per slice
    expect(app.pauses.length).toBeGreaterThanOrEqual(70);
  });

  test("disconnects readers that are too far behind within a round, before the round ends", async () => {
    using app = openHub();
    app.rest.isHeld = true;
    const readers = Array.from({ length: 100 }, () => app.subscribe());
    app.hub.publish("task", () => deletion("one"));
    await until("the first slice", () => app.pauses.length === 1);
    const long = "x".repeat(1024 * 1024);
    for (let count = 0; count < 33; count++) app.hub.publish("task", () => deletion(long));
    expect(app.hub.size).toBe(100);
    app.rest.goOn();
    expect(app.hub.size).toBe(0);
    expect(readers.every(({ isEnded }) => isEnded)).toBe(true);
  });

  test("rests less when its readers are far behind", async () => {
    using app = openHub();
    const readers = Array.from({ length: 20 }, () => app.subscribe());
    for (let count = 0; count < 10_000; count++) app.hub.publish("task", () => deletion(String(count)));
    await until("all of it", () => readers.every(({ ids }) => ids.length === 10_000));
    // 400 pieces, 8 per slice instead of one per slice as above
    expect(app.pauses).toHaveLength(49);
    expect(Math.max(...app.pauses)).toBeLessThan(1.5);
  });

  test("removes readers that closed or are too slow, and ends a slow reader when its socket drains", async () => {
    using app = openHub();
    const [gone, slow] = [app.subscribe(), app.subscribe()];
    slow.isFull = true;
    expect(app.hub.size).toBe(2);
    gone.close();
    expect([app.hub.size, gone.isEnded]).toEqual([1, true]);
    app.hub.publish("task", () => deletion("it fills its socket"));
    await until("that", () => slow.ids.length === 1);
    for (let count = 0; count <= 4_096; count++) app.hub.publish("task", () => deletion(String(count)));
    await until("the removal of the slow one", () => app.hub.size === 0);
    expect([slow.isEnded, slow.ids.length]).toEqual([false, 1]);
    slow.onReady();
    expect(slow.isEnded).toBe(true);
  });

  test("accepts no reader after its close, which ends the present readers", () => {
    using app = openHub();
    const readers = [app.subscribe(), app.subscribe()];
    app.hub.close();
    const late = app.subscribe();
    expect([...readers, late].map(({ isEnded }) => isEnded)).toEqual([true, true, true]);
    expect([late.greeting, app.hub.size, app.clock.pendingTimers]).toEqual([null, 0, 0]);
  });
});
