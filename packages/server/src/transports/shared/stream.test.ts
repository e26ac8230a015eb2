import { ManualClock, until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { EventEmitter } from "node:events";
import type { FrameSink } from "../../kernel/operation.ts";
import { bodyOf, type Outgoing, pushTo } from "./stream.ts";

function read(stream: Parameters<typeof bodyOf>[0]) {
  const clock = new ManualClock();
  const errors: unknown[] = [];
  let drops = 0;
  const body = bodyOf(stream, { clock, drop: () => drops++, onError: (error) => void errors.push(error) });
  const reader = body.getReader();
  const text = async () => {
    const { done, value } = await reader.read();
    return done ? null : new TextDecoder().decode(value);
  };
  return { clock, reader, text, errors, drops: () => drops };
}

test("waiting frames are written in the stream's format, together in one piece", async () => {
  async function* batches() {
    yield [
      { event: "hello", json: "{}", id: "e-0" },
      { event: "task", json: '{"a":1}', id: "e-1" },
    ];
    yield [{ comment: "" }];
    yield [{ event: "end", json: "{}" }];
  }
  const { text } = read({ kind: "events", batches: batches(), retryMs: 1_000 });
  expect(await text()).toBe("retry: 1000\n\n");
  expect(await text()).toBe('id: e-0\nevent: hello\ndata: {}\n\nid: e-1\nevent: task\ndata: {"a":1}\n\n');
  expect(await text()).toBe(":\n\n");
  expect(await text()).toBe("event: end\ndata: {}\n\n");
  expect(await text()).toBeNull();
});

test("shared frames get their reader's number; short frames are joined in one piece, a long frame is not copied", async () => {
  const long = Buffer.from(`event: b\ndata: "${"x".repeat(20_000)}"\n\n`);
  async function* batches() {
    yield [
      { id: "e-1", shared: Buffer.from("event: a\ndata: 1\n\n") },
      { id: "e-2", shared: Buffer.from("event: a\ndata: 2\n\n") },
      { id: "e-3", shared: long },
      { id: "e-4", shared: Buffer.from("event: a\ndata: 4\n\n") },
    ];
  }
  const { reader, text } = read({ kind: "events", batches: batches() });
  expect(await text()).toBe("id: e-1\nevent: a\ndata: 1\n\nid: e-2\nevent: a\ndata: 2\n\nid: e-3\n");
  expect((await reader.read()).value).toBe(long);
  expect(await text()).toBe("id: e-4\nevent: a\ndata: 4\n\n");
  expect(await text()).toBeNull();
});

test("frames for several readers are joined once for all of them", () => {
  const batch = [
    { id: "e-1", shared: Buffer.from("event: a\ndata: 1\n\n") },
    { id: "e-2", shared: Buffer.from('event: a\ndata: "\u00e9"\n\n') },
  ];
  const [one, other] = [push(), push()];
  one.sink.write(batch);
  other.sink.write(batch);
  expect(one.written.at(-1)).toBe('id: e-1\nevent: a\ndata: 1\n\nid: e-2\nevent: a\ndata: "\u00e9"\n\n');
  expect(other.pieces.at(-1)).toBe(one.pieces.at(-1));
});

test("a piece is made only when the reader asks for it", async () => {
  let made = 0;
  async function* chunks() {
    for (;;) yield Buffer.from(String(++made));
  }
  const { text } = read({ kind: "bytes", chunks: chunks() });
  expect(made).toBe(0);
  expect(await text()).toBe("1");
  expect(await text()).toBe("2");
  expect(made).toBe(2);
});

test.each([
  ["another piece", async () => Buffer.from("late")],
  ["the end", async () => null],
  ["a failure", async () => Promise.reject(new Error("closed meanwhile"))],
])("a reader that disconnects while a piece is made is not a failure, even if %s follows", async (_what, make) => {
  const waiting = Promise.withResolvers<void>();
  async function* chunks() {
    await waiting.promise;
    const chunk = await make();
    if (chunk !== null) yield chunk;
  }
  const { reader, clock, errors, drops } = read({ kind: "bytes", chunks: chunks() });
  const reading = reader.read();
  await Promise.resolve();
  const left = reader.cancel();
  waiting.resolve();
  expect((await reading).done).toBe(true);
  await left.catch(() => {});
  await clock.advance(60_000);
  expect([errors, drops(), clock.pendingTimers]).toEqual([[], 0, 0]);
});

test("a reader that accepts no bytes for 20 seconds is disconnected, and a reader that waits for more is not", async () => {
  let give: (() => void) | null = null;
  async function* chunks() {
    yield Buffer.from("first");
    await new Promise<void>((resolve) => (give = resolve));
    yield Buffer.from("second");
  }
  const { clock, text, drops } = read({ kind: "bytes", chunks: chunks() });
  expect(await text()).toBe("first");
  await clock.advance(19_999);
  expect(drops()).toBe(0);
  const waiting = text();
  await clock.advance(3_600_000);
  expect(drops()).toBe(0);
  give!();
  expect(await waiting).toBe("second");
  await clock.advance(20_000);
  expect(drops()).toBe(1);
});

test("a stream that fails is cut off, and does not reveal the cause to its reader", async () => {
  async function* chunks() {
    yield Buffer.from("first");
    throw new Error("the planted cause");
  }
  const { text, drops, errors } = read({ kind: "bytes", chunks: chunks() });
  expect(await text()).toBe("first");
  void text();
  await until("the break", () => drops() === 1);
  expect(errors).toEqual([expect.objectContaining({ message: "the planted cause" })]);
});

test("a reader that disconnects ends the source of the pieces, and leaves no timer", async () => {
  let isEnded = false;
  async function* chunks() {
    try {
      for (;;) yield Buffer.from("more");
    } finally {
      isEnded = true;
    }
  }
  const { clock, reader, text } = read({ kind: "bytes", chunks: chunks() });
  await text();
  await reader.cancel();
  expect(isEnded).toBe(true);
  expect(clock.pendingTimers).toBe(0);
});

/** A pushed stream and its receiver; `other.isFull` makes the receiver full. */
function push() {
  const clock = new ManualClock();
  const events = new EventEmitter();
  const calls = { ready: 0, closed: 0, drops: 0, ends: 0 };
  const written: string[] = [];
  const pieces: Uint8Array[] = [];
  const other = { isFull: false };
  const outgoing: Outgoing = {
    writeHead: () => {},
    write: (bytes) => {
      pieces.push(bytes);
      written.push(Buffer.from(bytes).toString("utf8"));
      return !other.isFull;
    },
    on: (event, listener) => void events.on(event, listener),
    end: () => calls.ends++,
    destroy: () => calls.drops++,
    destroyed: false,
  };
  let sink: FrameSink | null = null;
  const start = (given: FrameSink) => {
    sink = given;
    return { onReady: () => void calls.ready++, close: () => void calls.closed++ };
  };
  pushTo(outgoing, { kind: "pushed", start, retryMs: 1_000 }, clock);
  return { clock, events, calls, written, pieces, other, sink: sink as unknown as FrameSink };
}

test("pushed frames are written in the stream's format until the receiver is full; a drain notifies the source", async () => {
  const { sink, written, other, events, calls, clock } = push();
  expect(sink.write([{ event: "hello", json: "{}", id: "e-0" }])).toBe(true);
  expect(written).toEqual(["retry: 1000\n\n", "id: e-0\nevent: hello\ndata: {}\n\n"]);
  other.isFull = true;
  expect(sink.write([{ id: "e-1", shared: Buffer.from("event: a\ndata: 1\n\n") }])).toBe(false);
  await clock.advance(19_999);
  events.emit("drain");
  await clock.advance(3_600_000);
  expect([calls.ready, calls.drops, clock.pendingTimers]).toEqual([1, 0, 0]);
});

test("a receiver that stays full for 20 seconds is disconnected; the source is notified, and no timer is left", async () => {
  const { sink, other, events, calls, clock } = push();
  other.isFull = true;
  sink.write([{ comment: "" }]);
  await clock.advance(19_999);
  expect(calls.drops).toBe(0);
  await clock.advance(1);
  expect(calls.drops).toBe(1);
  sink.write([{ comment: "" }]);
  events.emit("close");
  expect([calls.closed, clock.pendingTimers]).toEqual([1, 0]);
});
