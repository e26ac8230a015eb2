import { createClient } from "@belfry/client";
import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { SilenceError } from "../../../../packages/client/src/read-within.ts";
import { type Connection, connection } from "./connection.ts";
import { refreshByEvents } from "./refresher.ts";
import { PausedStreamError } from "../shell/shell.ts";

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
  connection.set({ is: "connecting" });
  const done = refreshByEvents(client, new QueryClient(), end.signal);
  try {
    await untilIs("live");
    const broken = untilIs("offline");
    stream!.error(error);
    return (await broken).since;
  } finally {
    end.abort();
    await done;
  }
}

/** Waits for the first state of this kind, now or later. */
function untilIs<S extends Connection["is"]>(is: S): Promise<Extract<Connection, { is: S }>> {
  return new Promise((resolve) => {
    const look = (): void => {
      const now = connection.get();
      if (now.is !== is) return;
      leave();
      resolve(now as Extract<Connection, { is: S }>);
    };
    const leave = connection.subscribe(look);
    look();
  });
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
