import { until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { CompatibilityError, ConnectionError } from "./errors.ts";
import { readEvents, type ServerEvent } from "./server-events.ts";

const bom = "\u{feff}";
const stream = [
  `${bom}: a comment first\n\n`,
  'id: e-0\nevent: hello\ndata: {"epoch":"e"}\n\n',
  'id: e-1\r\nevent: run\r\ndata: {"task":"Grüße 🔔",\r\ndata: "n": 2}\r\n\r\n',
  ": heartbeat\n\n",
  'data: "without a name"\r\r',
  "retry: 1000\n\n",
  'id: e-2\nevent: end\ndata:{"state":"failed"}\n\n',
  'id: e-3\nevent: lost\ndata: {"never":"ended"}',
].join("");

const expected: readonly ServerEvent[] = [
  { event: "hello", id: "e-0", data: { epoch: "e" } },
  { event: "run", id: "e-1", data: { task: "Grüße 🔔", n: 2 } },
  { event: "message", id: null, data: "without a name" },
  { event: "end", id: "e-2", data: { state: "failed" } },
];

const bytes = new TextEncoder().encode(stream);

test("events are the same wherever the bytes are split", async () => {
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    expect(await all(bytes.subarray(0, cut), bytes.subarray(cut)), `split at ${cut}`).toEqual(expected);
  }
});

test("events are the same when each byte arrives alone", async () => {
  expect(await all(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(expected);
});

test.each(["\n", "\r", "\r\n"])("lines may end in %j", async (end) => {
  const text = ["event: run", 'data: {"a":', "data: 1}", "", ""].join(end);
  // the parser recognizes a lone CR only when another character follows
  expect(await all(new TextEncoder().encode(`${text}:\n`))).toEqual([{ event: "run", id: null, data: { a: 1 } }]);
});

test("a broken stream throws, and a stream that ends does not", async () => {
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) });
  await expect(collect(readEvents(new Response(body), { hasHeartbeats: false }))).rejects.toBeInstanceOf(
    ConnectionError,
  );
});

test("a stream that is silent for too long throws, and is closed", async () => {
  let isClosed = false;
  const body = new ReadableStream({ cancel: () => void (isClosed = true) });
  const events = readEvents(new Response(body), { hasHeartbeats: true, silenceMs: 1 });
  await expect(collect(events)).rejects.toThrow("The daemon sent nothing for 0.001 seconds.");
  expect(isClosed).toBe(true);
});

test("a stream may be silent as long as it has sent no heartbeat, and not afterwards", async () => {
  const encoder = new TextEncoder();
  let part: (text: string) => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (part = (text) => controller.enqueue(encoder.encode(text))),
  });
  const events = readEvents(new Response(body), { hasHeartbeats: false, silenceMs: 1 });
  const first = events.next();
  const startMs = performance.now();
  await until("the limit is long past", () => performance.now() - startMs > 30);
  part("data: 1\n\n");
  expect((await first).value).toMatchObject({ data: 1 });
  part(":\n\n");
  await expect(events.next()).rejects.toThrow("The daemon sent nothing");
});

test("leaving the loop closes the stream", async () => {
  let isClosed = false;
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(bytes),
    cancel: () => void (isClosed = true),
  });
  for await (const event of readEvents(new Response(body), { hasHeartbeats: false })) if (event.event === "run") break;
  expect(isClosed).toBe(true);
});

test("data that is not JSON is a CompatibilityError", async () => {
  await expect(all(new TextEncoder().encode("data: hello\n\n"))).rejects.toBeInstanceOf(CompatibilityError);
});

function all(...chunks: readonly Uint8Array[]): Promise<ServerEvent[]> {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of chunks) if (chunk.length > 0) controller.enqueue(chunk);
      controller.close();
    },
  });
  return collect(readEvents(new Response(body), { hasHeartbeats: false }));
}

async function collect(events: AsyncIterable<ServerEvent>): Promise<ServerEvent[]> {
  const collected: ServerEvent[] = [];
  for await (const event of events) collected.push(event);
  return collected;
}
