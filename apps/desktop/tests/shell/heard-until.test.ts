import { createClient } from "@belfry/client";
import { until } from "@belfry/test-kit";
import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { SilenceError } from "../../../../packages/client/src/read-within.ts";
import { connection } from "../../src/data/connection.ts";
import { refreshByEvents } from "../../src/data/refresher.ts";
import { PausedStreamError } from "../../src/shell/shell.ts";

const hello = 'event: hello\nid: e-1\ndata: {"epoch":"e","capabilities":[]}\n\n';

/** Follows a daemon whose stream begins, and then breaks with an error. Returns since when the screens know nothing. */
async function followUntil(error: Error): Promise<number | null> {
  let stream: ReadableStreamDefaultController<Uint8Array>;
  const client = createClient({
    retries: 0,
    transport: {
      baseUrl: "http://daemon",
      fetch: async ({ headers }) => {
        if (headers.get("accept") !== "text/event-stream") return Response.json({ status: "ok" });
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => {
            stream = controller;
            controller.enqueue(new TextEncoder().encode(hello));
          },
        });
        return new Response(body, { headers: { "content-type": "text/event-stream" } });
      },
    },
  });
  const end = new AbortController();
  const seen: number[] = [];
  const leave = connection.subscribe(() => {
    const now = connection.get();
    if (now.is === "offline") seen.push(now.since!);
  });
  connection.set({ is: "connecting" });
  const done = refreshByEvents(client, new QueryClient(), end.signal);
  try {
    await until("the stream", () => connection.get().is === "live");
    stream!.error(error);
    return await until("the break", () => seen[0]);
  } finally {
    leave();
    end.abort();
    await done;
  }
}

test("a stream that was silent is known until it fell silent", async () => {
  const before = Date.now();
  const since = await followUntil(new SilenceError(45_000));
  expect(since).toBeGreaterThanOrEqual(before - 45_000);
  expect(since).toBeLessThanOrEqual(Date.now() - 45_000);
});

test("a stream that paused is known until its pause, and never for longer than until now", async () => {
  const hoursAgo = Date.now() - 8 * 3_600_000;
  expect(await followUntil(new PausedStreamError(hoursAgo, new Error("gone")))).toBe(hoursAgo);
  const since = await followUntil(new PausedStreamError(Date.now() + 3_600_000, new Error("gone")));
  expect(since).toBeLessThanOrEqual(Date.now());
});

test("a stream that broke is known until it broke", async () => {
  const before = Date.now();
  const since = await followUntil(new Error("gone"));
  expect(since).toBeGreaterThanOrEqual(before);
  expect(since).toBeLessThanOrEqual(Date.now());
});
