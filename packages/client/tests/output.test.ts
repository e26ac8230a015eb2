import { describe, expect, test } from "vitest";
import { AbortError, ConnectionError, NotFoundError, type OutputItem } from "../src/index.ts";
import { fakeDaemon, errorReply, type Reply, type Seen } from "./fake-daemon.ts";

const written = "The quick brown fox — Grüße 🔔 — jumps over the lazy dog.\n";
const bytes = Buffer.from(written);
const end = frame("end", { state: "succeeded" });

describe("the pieces of a run's output", () => {
  test("have their stream, offset and bytes, and an end", async () => {
    const cut = { stream: "stderr", from: 5, bytes: 1_000 };
    await using daemon = await fakeDaemon(() =>
      stream([piece("stdout", 0, "out"), piece("stderr", 0, "error"), frame("cut", cut), end]),
    );
    const items = await collect(daemon.connect().runs.output("run_1", { stream: "both", attempt: 2 }));
    expect(items).toEqual([
      { kind: "output", stream: "stdout", offset: 0, bytes: new Uint8Array(Buffer.from("out")) },
      { kind: "output", stream: "stderr", offset: 0, bytes: new Uint8Array(Buffer.from("error")) },
      { kind: "cut", ...cut },
      { kind: "end", state: "succeeded" },
    ]);
    expect(daemon.seen[0]?.path).toBe("/runs/run_1/output?stream=both&attempt=2");
    expect(daemon.seen[0]?.headers.accept).toBe("text/event-stream");
  });

  test("are complete and not repeated if the connection breaks at every byte", async () => {
    for (let size = 1; size < bytes.length; size += 3) {
      await using daemon = await fakeDaemon((seen) => from(offsetOf(seen), size));
      const client = daemon.connect();
      expect(textOf(await collect(client.runs.output("run_1", { stream: "stdout", attempt: 1, follow: true })))).toBe(
        written,
      );
      expect(daemon.seen.length).toBe(Math.ceil(bytes.length / size));
    }
  });

  test("received twice are dropped, to the byte", async () => {
    let asked = 0;
    await using daemon = await fakeDaemon(() => {
      asked += 1;
      if (asked === 1) return stream([piece("stdout", 0, "abcdef"), piece("stderr", 0, "12")]);
      const cut = frame("cut", { stream: "stderr", from: 0, bytes: 5 });
      return stream([piece("stdout", 2, "cdefgh"), piece("stderr", 0, "1"), cut, piece("stderr", 5, "6"), end]);
    });
    const items = await collect(daemon.connect().runs.output("run_1", { attempt: 1, follow: true }));
    expect(
      items.map((item) => ({ ...item, ...("offset" in item && { bytes: Buffer.from(item.bytes).toString() }) })),
    ).toEqual([
      { kind: "output", stream: "stdout", offset: 0, bytes: "abcdef" },
      { kind: "output", stream: "stderr", offset: 0, bytes: "12" },
      { kind: "output", stream: "stdout", offset: 6, bytes: "gh" },
      { kind: "cut", stream: "stderr", from: 2, bytes: 3 },
      { kind: "output", stream: "stderr", offset: 5, bytes: "6" },
      { kind: "end", state: "succeeded" },
    ]);
    // two streams together have no common offset
    expect(daemon.seen.map((seen) => seen.path)).toEqual(
      Array(2).fill("/runs/run_1/output?attempt=1&follow=true&stream=both"),
    );
  });

  test("begin at the given offset, and continue after it", async () => {
    await using daemon = await fakeDaemon((seen) => from(offsetOf(seen), 10));
    const items = await collect(
      daemon.connect().runs.output("run_1", { stream: "stdout", attempt: 1, offset: 20, follow: true }),
    );
    expect(textOf(items)).toBe(bytes.subarray(20).toString());
    expect(offsetOf(daemon.seen[1]!)).toBe(30);
  });

  test("are requested without a retry limit only while following", async () => {
    await using daemon = await fakeDaemon(() => stream([]));
    await expect(collect(daemon.connect().runs.output("run_1", { attempt: 1 }))).rejects.toBeInstanceOf(
      ConnectionError,
    );
    expect(daemon.seen.length).toBe(3);
  });

  test("belong to one attempt, even if the next one starts while the connection is broken", async () => {
    let attempt = 2;
    await using daemon = await fakeDaemon((seen) => {
      if (seen.path === "/runs/run_1") return { json: { id: "run_1", attempt } };
      attempt = 3;
      return from(offsetOf(seen), 40);
    });
    const items = await collect(daemon.connect().runs.output("run_1", { stream: "stdout", follow: true }));
    expect(items.length).toBe(3);
    expect(daemon.seen.map((seen) => seen.path)).toEqual([
      "/runs/run_1",
      "/runs/run_1/output?stream=stdout&follow=true&attempt=2",
      "/runs/run_1/output?stream=stdout&follow=true&attempt=2&offset=40",
    ]);
  });

  test("of a run before its first attempt are those of the first attempt", async () => {
    await using daemon = await fakeDaemon((seen) =>
      seen.path === "/runs/run_1" ? { json: { id: "run_1", attempt: 0 } } : from(offsetOf(seen), 40),
    );
    await collect(daemon.connect().runs.output("run_1", { stream: "stdout", follow: true }));
    expect(
      daemon.seen.slice(1).map((seen) => new URL(seen.path, "http://localhost").searchParams.get("attempt")),
    ).toEqual([null, "1"]);
  });

  test("of a run before a retry are those of the previous attempt", async () => {
    await using daemon = await fakeDaemon((seen) =>
      seen.path === "/runs/run_1" ? { json: { id: "run_1", state: "queued", attempt: 3 } } : from(offsetOf(seen), 40),
    );
    await collect(daemon.connect().runs.output("run_1", { stream: "stdout" }));
    expect(new URL(daemon.seen[1]!.path, "http://localhost").searchParams.get("attempt")).toBe("2");
  });

  test("of an unknown run fail immediately", async () => {
    await using daemon = await fakeDaemon(() => errorReply("not_found", 404));
    await expect(collect(daemon.connect().runs.output("run_1", { follow: true }))).rejects.toBeInstanceOf(
      NotFoundError,
    );
    expect(daemon.seen.length).toBe(1);
  });

  test("end with an AbortError when aborted, because they are incomplete; the connection is closed", async () => {
    await using daemon = await fakeDaemon(() => stream([piece("stdout", 0, "a")], "stays open"));
    const controller = new AbortController();
    const reading = async () => {
      for await (const item of daemon
        .connect()
        .runs.output("run_1", { attempt: 1, follow: true }, { signal: controller.signal })) {
        if (item.kind === "output") setImmediate(() => controller.abort());
      }
    };
    await expect(reading()).rejects.toBeInstanceOf(AbortError);
    expect(await daemon.allClosed()).toBe(true);
  });

  test("may be left before the end; the connection is closed", async () => {
    await using daemon = await fakeDaemon(() => stream([piece("stdout", 0, "a")], "stays open"));
    for await (const item of daemon.connect().runs.output("run_1", { attempt: 1, follow: true }))
      if (item.kind === "output") break;
    expect(await daemon.allClosed()).toBe(true);
  });
});

describe("raw output", () => {
  test("is returned complete, as text or bytes", async () => {
    await using daemon = await fakeDaemon(
      () => (response) => response.writeHead(200, { "content-type": "text/plain" }).end(bytes),
    );
    const client = daemon.connect();
    expect(await client.runs.outputText("run_1", { stream: "stderr", offset: 3 })).toBe(written);
    expect(Buffer.from(await client.runs.outputBytes("run_1"))).toEqual(bytes);
    expect(daemon.seen.map((seen) => seen.path)).toEqual([
      "/runs/run_1/output?stream=stderr&offset=3",
      "/runs/run_1/output",
    ]);
    expect(daemon.seen[0]?.headers.accept).toBe("text/plain");
  });

  test("that is truncated is read again", async () => {
    let asked = 0;
    await using daemon = await fakeDaemon(() => (response) => {
      asked += 1;
      response.writeHead(200, { "content-type": "text/plain", "content-length": bytes.length });
      if (asked === 1) response.write(bytes.subarray(0, 5), () => response.destroy());
      else response.end(bytes);
    });
    expect(await daemon.connect().runs.outputText("run_1")).toBe(written);
    expect(asked).toBe(2);
  });
});

/** Sends a number of bytes from an offset and breaks the connection, or sends the rest and the end. */
function from(offset: number, size: number): Reply {
  const rest = bytes.subarray(offset);
  if (rest.length <= size) return stream([piece("stdout", offset, rest), end]);
  return stream([piece("stdout", offset, rest.subarray(0, size)), "event: output\ndata: {"]);
}

function stream(frames: readonly string[], then: "ends" | "stays open" = "ends"): Reply {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`: begins\n\n${frames.join("")}`);
    if (then === "ends") response.end();
  };
}

function piece(name: "stdout" | "stderr", offset: number, data: string | Uint8Array): string {
  return frame("output", { stream: name, offset, base64: Buffer.from(data).toString("base64") });
}

function frame(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

function offsetOf(seen: Seen): number {
  return Number(new URL(seen.path, "http://localhost").searchParams.get("offset"));
}

function textOf(items: readonly OutputItem[]): string {
  return Buffer.concat(items.flatMap((item) => (item.kind === "output" ? [item.bytes] : []))).toString();
}

async function collect(items: AsyncIterable<OutputItem>): Promise<OutputItem[]> {
  const collected: OutputItem[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
