import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { createBacklog } from "./backlog.ts";
import { createPieces } from "./pieces.ts";
import { createSubscriber } from "./subscriber.ts";

function subscribe(kinds: readonly string[] | null = null) {
  const clock = new ManualClock();
  const backlog = createBacklog();
  const pieces = createPieces(backlog, "e");
  const counts = { ends: 0, waits: 0, sinkEnds: 0 };
  const written: unknown[] = [];
  const socket = { isFull: false };
  const subscriber = createSubscriber({
    clock,
    backlog,
    epoch: "e",
    readPiece: pieces.readerOf(kinds === null ? null : new Set(kinds)),
    hello: "{}",
    sink: {
      write: (frames) => {
        for (const frame of frames)
          written.push(
            "comment" in frame ? "heartbeat" : ["shared" in frame ? String(frame.shared) : frame.event, frame.id],
          );
        return !socket.isFull;
      },
      end: () => void counts.sinkEnds++,
    },
    onWaiting: () => void counts.waits++,
    onEnd: () => void counts.ends++,
  });
  return {
    clock,
    subscriber,
    counts,
    socket,
    /** Serves the subscriber in its own round. Returns whether it got any bytes. */
    serve: (): boolean => {
      pieces.beginRound();
      const { bytes } = subscriber.serve();
      pieces.endRound();
      return bytes > 0;
    },
    /** Everything written since the last call. */
    takeWritten: () => written.splice(0),
    publish: (kind: string, text = kind) => backlog.add({ kind, frame: Buffer.from(text) }),
  };
}

/** Subscribes a reader whose socket is full after the greeting. */
function subscribeTaking() {
  const taking = subscribe();
  taking.socket.isFull = true;
  taking.subscriber.greet();
  taking.takeWritten();
  return taking;
}

test("a subscriber gets its greeting first, and the waiting events together when it is served", () => {
  const { subscriber, publish, takeWritten, counts, serve } = subscribe();
  publish("task");
  publish("run");
  expect(serve()).toBe(false);
  subscriber.greet();
  expect([takeWritten(), counts.waits]).toEqual([[["hello", "e-0"]], 1]);
  expect(serve()).toBe(true);
  expect(takeWritten()).toEqual([
    ["task", "e-1"],
    ["run", "e-2"],
  ]);
  expect(serve()).toBe(false);
});

test("an event of another kind uses no number", () => {
  const { subscriber, publish, takeWritten, serve } = subscribe(["run"]);
  subscriber.greet();
  publish("task");
  expect(serve()).toBe(false);
  publish("run");
  expect(serve()).toBe(true);
  expect(takeWritten()).toEqual([
    ["hello", "e-0"],
    ["run", "e-1"],
  ]);
});

test("waiting: a subscriber without events gets a heartbeat every 15 seconds, and an event restarts the interval", async () => {
  const { clock, subscriber, publish, takeWritten, serve } = subscribe();
  subscriber.greet();
  await clock.advance(15_000);
  expect(takeWritten()).toEqual([["hello", "e-0"], "heartbeat"]);
  await clock.advance(14_999);
  publish("task");
  serve();
  await clock.advance(14_999);
  expect([takeWritten(), clock.pendingTimers]).toEqual([[["task", "e-1"]], 1]);
  await clock.advance(1);
  expect(takeWritten()).toEqual(["heartbeat"]);
});

test("taking: no event or heartbeat is written until the socket is ready; then the subscriber waits again", async () => {
  const { clock, subscriber, publish, takeWritten, socket, counts, serve } = subscribeTaking();
  publish("task");
  expect(serve()).toBe(false);
  await clock.advance(40_000);
  expect([takeWritten(), subscriber.isWaiting, counts.waits]).toEqual([[], false, 0]);
  socket.isFull = false;
  subscriber.onReady();
  subscriber.onReady();
  expect([subscriber.isWaiting, counts.waits]).toEqual([true, 1]);
  expect(serve()).toBe(true);
  expect(takeWritten()).toEqual([["task", "e-1"]]);
  await clock.advance(15_000);
  expect(takeWritten()).toEqual(["heartbeat"]);
});

test("overflowed: 4,097 events for a full socket are replaced by one resync, and then the stream ends", () => {
  const { subscriber, publish, takeWritten, counts, serve } = subscribeTaking();
  for (let count = 0; count < 4_096; count++) publish("task");
  subscriber.checkPace();
  expect(counts.ends).toBe(0);
  publish("task");
  subscriber.checkPace();
  expect([counts.ends, counts.sinkEnds]).toEqual([1, 0]);
  publish("task");
  expect(serve()).toBe(false);
  expect(takeWritten()).toEqual([]);
  subscriber.onReady();
  expect([takeWritten(), counts.sinkEnds]).toEqual([[["resync", "e-1"]], 1]);
});

test("overflowed: more than two megabytes in several events overflow, and in a single event do not", () => {
  const { subscriber, publish, takeWritten, counts } = subscribeTaking();
  publish("task", "x".repeat(2 * 1024 * 1024 + 1));
  subscriber.checkPace();
  expect(counts.ends).toBe(0);
  publish("task", "1");
  subscriber.checkPace();
  subscriber.onReady();
  expect(takeWritten()).toEqual([["resync", "e-1"]]);
});

test("a reader that accepts every write does not overflow from 20,000 or fewer simultaneous events", () => {
  const { subscriber, publish, takeWritten, counts, serve } = subscribe();
  subscriber.greet();
  takeWritten();
  for (let count = 0; count < 20_000; count++) publish("task");
  let taken = 0;
  for (let isMore = true; isMore; taken += takeWritten().length) {
    subscriber.checkPace();
    isMore = serve();
  }
  expect([taken, counts.ends]).toEqual([20_000, 0]);
  for (let count = 0; count < 20_001; count++) publish("task");
  subscriber.checkPace();
  expect([takeWritten(), counts.ends, counts.sinkEnds]).toEqual([[["resync", "e-20001"]], 1, 1]);
});

test("closed: ends immediately, even with events waiting, and keeps no timer", () => {
  const { clock, subscriber, publish, takeWritten, counts, serve } = subscribe();
  subscriber.greet();
  takeWritten();
  publish("task");
  subscriber.close();
  subscriber.close();
  expect([serve(), subscriber.isWaiting, takeWritten()]).toEqual([false, false, []]);
  subscriber.onReady();
  expect([clock.pendingTimers, counts]).toEqual([0, { ends: 1, waits: 1, sinkEnds: 1 }]);
});
