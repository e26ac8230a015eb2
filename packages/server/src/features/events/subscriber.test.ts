import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import type { SseFrame } from "../../kernel/operation.ts";
import { createSubscriber } from "./subscriber.ts";

function subscribe(kinds: readonly string[] | null = null) {
  const clock = new ManualClock();
  let ends = 0;
  const subscriber = createSubscriber({
    clock,
    epoch: "e",
    kinds: kinds === null ? null : new Set(kinds),
    hello: "{}",
    onEnd: () => ends++,
  });
  const reader = subscriber.batches[Symbol.asyncIterator]();
  return { clock, subscriber, reader, ends: () => ends };
}

const eventsOf = (batch: IteratorResult<readonly SseFrame[]>) =>
  batch.done === true ? null : batch.value.map((frame) => ("event" in frame ? [frame.event, frame.id] : "heartbeat"));

test("open: hints wait, and are taken together", async () => {
  const { subscriber, reader } = subscribe();
  subscriber.offer("task", "1");
  subscriber.offer("run", "2");
  expect(eventsOf(await reader.next())).toEqual([
    ["hello", "e-0"],
    ["task", "e-1"],
    ["run", "e-2"],
  ]);
  subscriber.offer("task", "3");
  expect(eventsOf(await reader.next())).toEqual([["task", "e-3"]]);
});

test("open: what it did not ask for takes no number", async () => {
  const { subscriber, reader } = subscribe(["run"]);
  subscriber.offer("task", "1");
  subscriber.offer("run", "2");
  expect(eventsOf(await reader.next())).toEqual([
    ["hello", "e-0"],
    ["run", "e-1"],
  ]);
  expect([subscriber.wants("task"), subscriber.wants("run")]).toEqual([false, true]);
});

test("open: a quiet reader hears a heartbeat each 15 seconds, and a hint in between starts them anew", async () => {
  const { clock, subscriber, reader } = subscribe();
  await reader.next();
  let batch = reader.next();
  await clock.advance(15_000);
  expect(eventsOf(await batch)).toEqual(["heartbeat"]);
  batch = reader.next();
  await clock.advance(14_999);
  subscriber.offer("task", "1");
  expect(eventsOf(await batch)).toEqual([["task", "e-1"]]);
  batch = reader.next();
  await clock.advance(14_999);
  expect(clock.pendingTimers).toBe(1);
  await clock.advance(1);
  expect(eventsOf(await batch)).toEqual(["heartbeat"]);
});

test("overflowed: of 257 hints none is left, but a resync, and then the end", async () => {
  const { subscriber, reader, ends } = subscribe();
  await reader.next();
  for (let count = 0; count < 256; count++) subscriber.offer("task", "1");
  expect(ends()).toBe(0);
  subscriber.offer("task", "1");
  expect(ends()).toBeGreaterThan(0);
  subscriber.offer("task", "ignored");
  expect(eventsOf(await reader.next())).toEqual([["resync", "e-258"]]);
  expect((await reader.next()).done).toBe(true);
});

test("overflowed: two megabytes of hints are too much, one hint of them is not", async () => {
  const long = "x".repeat(2 * 1024 * 1024 + 1);
  const one = subscribe();
  await one.reader.next();
  one.subscriber.offer("task", long);
  expect(eventsOf(await one.reader.next())).toEqual([["task", "e-1"]]);
  one.subscriber.offer("task", long);
  expect(eventsOf(await one.reader.next())).toEqual([["task", "e-2"]]);
  one.subscriber.offer("task", long);
  one.subscriber.offer("task", "1");
  expect(eventsOf(await one.reader.next())).toEqual([["resync", "e-5"]]);
});

test("closed: ends at once, though hints wait, and keeps no timer", async () => {
  const { clock, subscriber, reader } = subscribe();
  await reader.next();
  const waiting = reader.next();
  subscriber.offer("task", "1");
  subscriber.close();
  await waiting;
  expect((await reader.next()).done).toBe(true);
  expect(clock.pendingTimers).toBe(0);
});
