import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import type { SseFrame } from "../../kernel/operation.ts";
import { createBacklog } from "./backlog.ts";
import { createSubscriber } from "./subscriber.ts";

function subscribe(kinds: readonly string[] | null = null) {
  const clock = new ManualClock();
  const backlog = createBacklog();
  let ends = 0;
  let waits = 0;
  const subscriber = createSubscriber({
    clock,
    backlog,
    epoch: "e",
    wants: (kind) => kinds === null || kinds.includes(kind),
    hello: "{}",
    onWaiting: () => waits++,
    onEnd: () => ends++,
  });
  return {
    clock,
    subscriber,
    reader: subscriber.batches[Symbol.asyncIterator](),
    ends: () => ends,
    waits: () => waits,
    tell: (kind: string, text = kind) => backlog.add({ kind, frame: Buffer.from(text) }),
  };
}

const eventsOf = (batch: IteratorResult<readonly SseFrame[]>) =>
  batch.done === true
    ? null
    : batch.value.map((frame) => {
        if ("comment" in frame) return "heartbeat";
        return ["shared" in frame ? String(frame.shared) : frame.event, frame.id];
      });

test("it is greeted first; then what came since is handed over together, when it waits and is served", async () => {
  const { subscriber, reader, tell, waits } = subscribe();
  tell("task");
  tell("run");
  expect(subscriber.serve()).toBe(false);
  expect(eventsOf(await reader.next())).toEqual([["hello", "e-0"]]);
  const batch = reader.next();
  expect(waits()).toBe(1);
  expect(subscriber.serve()).toBe(true);
  expect(eventsOf(await batch)).toEqual([
    ["task", "e-1"],
    ["run", "e-2"],
  ]);
  void reader.next();
  expect(subscriber.serve()).toBe(false);
});

test("what it did not ask for takes no number", async () => {
  const { subscriber, reader, tell } = subscribe(["run"]);
  await reader.next();
  const batch = reader.next();
  tell("task");
  expect(subscriber.serve()).toBe(false);
  tell("run");
  expect(subscriber.serve()).toBe(true);
  expect(eventsOf(await batch)).toEqual([["run", "e-1"]]);
});

test("waiting: a quiet reader hears a heartbeat each 15 seconds, and a hint in between starts them anew", async () => {
  const { clock, subscriber, reader, tell } = subscribe();
  await reader.next();
  let batch = reader.next();
  await clock.advance(15_000);
  expect(eventsOf(await batch)).toEqual(["heartbeat"]);
  batch = reader.next();
  await clock.advance(14_999);
  tell("task");
  subscriber.serve();
  expect(eventsOf(await batch)).toEqual([["task", "e-1"]]);
  let isHeard = false;
  batch = reader.next();
  void batch.then(() => (isHeard = true));
  await clock.advance(14_999);
  expect([isHeard, clock.pendingTimers]).toEqual([false, 1]);
  await clock.advance(1);
  expect(eventsOf(await batch)).toEqual(["heartbeat"]);
});

test("taking: no heartbeat is kept for a reader that takes nothing, and it hears the next once it waits again", async () => {
  const { clock, subscriber, reader, tell } = subscribe();
  await reader.next();
  let batch = reader.next();
  tell("task");
  subscriber.serve();
  await batch;
  await clock.advance(40_000);
  batch = reader.next();
  await clock.advance(15_000);
  expect(eventsOf(await batch)).toEqual(["heartbeat"]);
});

test("overflowed: of 257 hints told while it took nothing none is left, but a resync, and then the end", async () => {
  const { subscriber, reader, tell, ends } = subscribe();
  await reader.next();
  for (let count = 0; count < 256; count++) tell("task");
  subscriber.checkPace();
  expect(ends()).toBe(0);
  tell("task");
  subscriber.checkPace();
  expect(ends()).toBe(1);
  tell("task");
  expect(subscriber.serve()).toBe(false);
  expect(eventsOf(await reader.next())).toEqual([["resync", "e-1"]]);
  expect((await reader.next()).done).toBe(true);
});

test("overflowed: two megabytes are too much, one hint of them is not", async () => {
  const long = "x".repeat(2 * 1024 * 1024 + 1);
  const { subscriber, reader, tell, ends } = subscribe();
  await reader.next();
  tell("task", long);
  subscriber.checkPace();
  expect(ends()).toBe(0);
  tell("task", "1");
  subscriber.checkPace();
  expect(eventsOf(await reader.next())).toEqual([["resync", "e-1"]]);
});

test("overflowed: a reader that was never read from is greeted, and told to refresh", async () => {
  const { subscriber, reader, tell } = subscribe();
  for (let count = 0; count < 257; count++) tell("task");
  subscriber.checkPace();
  expect(eventsOf(await reader.next())).toEqual([
    ["hello", "e-0"],
    ["resync", "e-1"],
  ]);
  expect((await reader.next()).done).toBe(true);
});

test("a reader that takes all it is given is never too slow for what came at once, up to 20,000 hints", async () => {
  const { subscriber, reader, tell, ends } = subscribe();
  await reader.next();
  let batch = reader.next();
  for (let count = 0; count < 20_000; count++) tell("task");
  let taken = 0;
  for (; taken < 20_000; batch = reader.next()) {
    subscriber.checkPace();
    subscriber.serve();
    taken += eventsOf(await batch)?.length ?? 0;
  }
  expect([taken, ends()]).toEqual([20_000, 0]);
  for (let count = 0; count < 20_001; count++) tell("task");
  subscriber.checkPace();
  expect(eventsOf(await batch)).toEqual([["resync", "e-20001"]]);
});

test("closed: ends at once, though hints wait, and keeps no timer", async () => {
  const { clock, subscriber, reader, tell, ends } = subscribe();
  await reader.next();
  const waiting = reader.next();
  tell("task");
  subscriber.close();
  subscriber.close();
  expect((await waiting).done).toBe(true);
  expect((await reader.next()).done).toBe(true);
  expect([clock.pendingTimers, ends()]).toEqual([0, 1]);
});
