import { until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { Caller } from "../src/caller.ts";
import type { OutputItem } from "../src/index.ts";
import { localTransport } from "../src/local.ts";
import { readOutput } from "../src/output.ts";
import { type FakeDaemon, fakeDaemon } from "./fake-daemon.ts";

type Name = "stdout" | "stderr";
interface Written {
  readonly stream: Name;
  readonly offset: number;
  readonly text: string;
  readonly time: string;
}

const timeOf = (n: number) => new Date(1_700_000_000_000 + n).toISOString();

/** Forty pieces: stderr is quiet at first, then both streams write in turns. */
const written = writePieces(40);

test("both streams continue where they were read to, whichever event the connection breaks after", async () => {
  for (let each = 1; each <= written.length; each += 1) {
    await using daemon = await breakingDaemon(each);
    const items = await collect(daemon.connect().runs.output("run_1", { attempt: 1, follow: true }));
    expect(items).toEqual(written.map(({ text }) => text));
    // one pass: no byte is sent twice
    expect(daemon.sent()).toBe(written.length);
  }
});

test("of the last lines, none is repeated and none that is older follows a broken connection", async () => {
  // after the two old pieces that each connection sends until stderr has been read
  for (let each = 3; each <= 12; each += 1) {
    await using daemon = await breakingDaemon(each);
    const items = await collect(daemon.connect().runs.output("run_1", { attempt: 1, tail: 35, follow: true }));
    expect(items).toEqual(written.slice(-35).map(({ text }) => text));
    const [first, ...others] = daemon.seen.map(({ path }) => new URL(path, "http://localhost").searchParams);
    expect(first?.get("tail")).toBe("35");
    for (const query of others) expect([query.get("tail"), query.has("stdout_offset")]).toEqual([null, true]);
  }
});

test("a connection that breaks before the first piece asks for the same lines again", async () => {
  let connections = 0;
  await using daemon = await fakeDaemon(() => (response) => {
    connections += 1;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(connections === 1 ? ": begins\n\n" : `event: end\ndata: {"state":"succeeded"}\n\n`);
  });
  await collect(daemon.connect().runs.output("run_1", { attempt: 1, tail: 5, follow: true }));
  expect(new Set(daemon.seen.map(({ path }) => path)).size).toBe(1);
});

test("the streams of a former daemon, which records no times, are read from the start again", async () => {
  await using daemon = await breakingDaemon(7, { isFormer: true });
  // it gives all of stdout first
  const items = await collect(daemon.connect().runs.output("run_1", { attempt: 1, follow: true }));
  const inOrder = written.toSorted((a, b) => b.stream.localeCompare(a.stream)).map(({ text }) => text);
  expect(items).toEqual(inOrder);
  for (const { path } of daemon.seen) expect(path).toBe("/runs/run_1/output?attempt=1&follow=true&stream=both");
});

test.each([
  ["after a heartbeat is given up", ":\n\n", 2],
  ["is kept if its daemon sends no heartbeats", "", 1],
] as const)("a connection that falls silent %s", async (_, beat, connectionsExpected) => {
  let connections = 0;
  let finish = (): unknown => undefined;
  await using daemon = await fakeDaemon(() => (response) => {
    connections += 1;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`${beat}event: output\ndata: {"stream":"stdout","offset":0,"base64":"${btoa("one")}"}\n\n`);
    finish = () => response.end(`event: end\ndata: {"state":"succeeded"}\n\n`);
    if (connections === 2) finish();
  });
  const caller = new Caller({ transport: localTransport(daemon.socketPath), delayMs: () => 0 });
  const query = { attempt: 1, follow: true };
  const output = readOutput(caller, { id: "run_1", query, options: {}, silenceMs: 20 });
  expect((await output.next()).value).toMatchObject({ kind: "output" });
  const startMs = performance.now();
  const end = output.next();
  await until("the limit is long past", () => performance.now() - startMs > 100);
  if (connectionsExpected === 1) finish();
  expect((await end).value).toMatchObject({ kind: "end" });
  expect(connections).toBe(connectionsExpected);
});

/**
 * Serves the pieces from the offsets of the query, and breaks the connection after a number of events. A former daemon
 * sends one more piece at each connection.
 */
async function breakingDaemon(each: number, { isFormer = false } = {}): Promise<FakeDaemon & { sent: () => number }> {
  let sent = 0;
  let connections = 0;
  const daemon = await fakeDaemon(({ path }) => {
    connections += 1;
    const query = new URL(path, "http://localhost").searchParams;
    const all = isFormer ? written.toSorted((a, b) => b.stream.localeCompare(a.stream)) : written;
    const tail = query.get("tail");
    const wanted = all
      .filter(({ stream, offset }) => offset >= Number(query.get(`${stream}_offset`)))
      .slice(tail === null ? 0 : -Number(tail));
    const now = wanted.slice(0, isFormer ? each * connections : each);
    sent += now.length;
    return (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const { stream, offset, text, time } of now) {
        const piece = { stream, offset, base64: btoa(text), ...(isFormer ? {} : { time }) };
        response.write(`event: output\ndata: ${JSON.stringify(piece)}\n\n`);
      }
      response.end(now.length === wanted.length ? `event: end\ndata: {"state":"succeeded"}\n\n` : "event: out");
    };
  });
  return Object.assign(daemon, { sent: () => sent });
}

function writePieces(count: number): readonly Written[] {
  const ends = { stdout: 0, stderr: 0 };
  return Array.from({ length: count }, (_, n) => {
    // two old pieces of stderr, which no tail contains
    const stream = n < 2 || (n > 15 && n % 2 === 0) ? "stderr" : "stdout";
    const text = `${n} ${"x".repeat(n)}\n`;
    const offset = ends[stream];
    ends[stream] += text.length;
    return { stream, offset, text, time: timeOf(n) };
  });
}

async function collect(items: AsyncIterable<OutputItem>): Promise<string[]> {
  const texts: string[] = [];
  for await (const item of items) if (item.kind === "output") texts.push(Buffer.from(item.bytes).toString());
  return texts;
}
