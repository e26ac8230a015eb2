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
    /** In a round of its own; whether it was handed anything. */
    serve: (): boolean => {
      pieces.beginRound();
      const { bytes } = subscriber.serve();
      pieces.endRound();
      return bytes > 0;
    },
    /** What was written since this was last asked. */
    heard: () => written.splice(0),
    tell: (kind: string, text = kind) => backlog.add({ kind, frame: Buffer.from(text) }),
  };
}

/** Greeted, and its socket full from then on. */
function subscribeTaking() {
  const taking = subscribe();
  taking.socket.isFull = true;
  taking.subscriber.greet();
  taking.heard();
  return taking;
}

test("it is greeted first; then what came since is handed over together when it is served", () => {
  const { subscriber, tell, heard, counts, serve } = subscribe();
  tell("task");
  tell("run");
  expect(serve()).toBe(false);
  subscriber.greet();
  expect([heard(), counts.waits]).toEqual([[["hello", "e-0"]], 1]);
  expect(serve()).toBe(true);
  expect(heard()).toEqual([
    ["task", "e-1"],
    ["run", "e-2"],
  ]);
  expect(serve()).toBe(false);
});

test("what it did not ask for takes no number", () => {
  const { subscriber, tell, heard, serve } = subscribe(["run"]);
  subscriber.greet();
  tell("task");
  expect(serve()).toBe(false);
  tell("run");
  expect(serve()).toBe(true);
  expect(heard()).toEqual([
    ["hello", "e-0"],
    ["run", "e-1"],
  ]);
});

test("waiting: a quiet reader hears a heartbeat each 15 seconds, and a event in between starts them anew", async () => {
  const { clock, subscriber, tell, heard, serve } = subscribe();
  subscriber.greet();
  await clock.advance(15_000);
  expect(heard()).toEqual([["hello", "e-0"], "heartbeat"]);
  await clock.advance(14_999);
  tell("task");
  serve();
  await clock.advance(14_999);
  expect([heard(), clock.pendingTimers]).toEqual([[["task", "e-1"]], 1]);
  await clock.advance(1);
  expect(heard()).toEqual(["heartbeat"]);
});

test("taking: nothing more is written, no heartbeat either, until it is ready; then it waits again", async () => {
  const { clock, subscriber, tell, heard, socket, counts, serve } = subscribeTaking();
  tell("task");
  expect(serve()).toBe(false);
  await clock.advance(40_000);
  expect([heard(), subscriber.isWaiting, counts.waits]).toEqual([[], false, 0]);
  socket.isFull = false;
  subscriber.onReady();
  subscriber.onReady();
  expect([subscriber.isWaiting, counts.waits]).toEqual([true, 1]);
  expect(serve()).toBe(true);
  expect(heard()).toEqual([["task", "e-1"]]);
  await clock.advance(15_000);
  expect(heard()).toEqual(["heartbeat"]);
});

test("overflowed: of 4,097 events told while it took nothing none is left, but a resync, and then the end", () => {
  const { subscriber, tell, heard, counts, serve } = subscribeTaking();
  for (let count = 0; count < 4_096; count++) tell("task");
  subscriber.checkPace();
  expect(counts.ends).toBe(0);
  tell("task");
  subscriber.checkPace();
  expect([counts.ends, counts.sinkEnds]).toEqual([1, 0]);
  tell("task");
  expect(serve()).toBe(false);
  expect(heard()).toEqual([]);
  subscriber.onReady();
  expect([heard(), counts.sinkEnds]).toEqual([[["resync", "e-1"]], 1]);
});

test("overflowed: two megabytes are too much, one event of them is not", () => {
  const { subscriber, tell, heard, counts } = subscribeTaking();
  tell("task", "x".repeat(2 * 1024 * 1024 + 1));
  subscriber.checkPace();
  expect(counts.ends).toBe(0);
  tell("task", "1");
  subscriber.checkPace();
  subscriber.onReady();
  expect(heard()).toEqual([["resync", "e-1"]]);
});

test("a reader that takes all it is given is never too slow for what came at once, up to 20,000 events", () => {
  const { subscriber, tell, heard, counts, serve } = subscribe();
  subscriber.greet();
  heard();
  for (let count = 0; count < 20_000; count++) tell("task");
  let taken = 0;
  for (let isMore = true; isMore; taken += heard().length) {
    subscriber.checkPace();
    isMore = serve();
  }
  expect([taken, counts.ends]).toEqual([20_000, 0]);
  for (let count = 0; count < 20_001; count++) tell("task");
  subscriber.checkPace();
  expect([heard(), counts.ends, counts.sinkEnds]).toEqual([[["resync", "e-20001"]], 1, 1]);
});

test("closed: ends at once, though events wait, and keeps no timer", () => {
  const { clock, subscriber, tell, heard, counts, serve } = subscribe();
  subscriber.greet();
  heard();
  tell("task");
  subscriber.close();
  subscriber.close();
  expect([serve(), subscriber.isWaiting, heard()]).toEqual([false, false, []]);
  subscriber.onReady();
  expect([clock.pendingTimers, counts]).toEqual([0, { ends: 1, waits: 1, sinkEnds: 1 }]);
});
