import type { AuditEvent } from "@belfry/contract";
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { AuditUnavailableError, CompatibilityError, ConnectionError } from "../src/index.ts";
import { errorReply, fakeDaemon, type Respond } from "./fake-daemon.ts";

const ids = ["a", "b", "c", "d", "e", "f", "g"];
const lineOf = (id: string) => `${JSON.stringify({ id, actor_name: "Ümlaut \u2028" })}\n`;

function writeHead(response: ServerResponse, cursor: string | null): void {
  response.writeHead(200, {
    "content-type": "application/x-ndjson",
    ...(cursor === null ? {} : { "x-next-cursor": cursor }),
  });
}

/** Seven events, three per page. The cursor is the index of the next page's first event. */
function sevenEvents() {
  return fakeDaemon(({ path }) => (response) => {
    const start = Number(new URL(path, "http://localhost").searchParams.get("cursor") ?? 0);
    const isLast = start + 3 >= ids.length;
    writeHead(response, isLast ? null : String(start + 3));
    response.end(
      ids
        .slice(start, start + 3)
        .map(lineOf)
        .join(""),
    );
  });
}

async function idsOf(events: AsyncIterable<AuditEvent>): Promise<string[]> {
  const found: string[] = [];
  for await (const event of events) found.push(event.id);
  return found;
}

test("export yields the events of all pages, with its filters on each", async () => {
  await using daemon = await sevenEvents();
  expect(await idsOf(daemon.connect().audit.export({ result: "denied" }))).toEqual(ids);
  expect(daemon.seen.map(({ path, headers }) => [path, headers.accept])).toEqual([
    ["/audit/export?limit=1000&result=denied", "application/x-ndjson"],
    ["/audit/export?limit=1000&result=denied&cursor=3", "application/x-ndjson"],
    ["/audit/export?limit=1000&result=denied&cursor=6", "application/x-ndjson"],
  ]);
});

test("export begins at a cursor, loads a page only when it is needed, and leaving the loop closes everything", async () => {
  await using daemon = await sevenEvents();
  const { audit } = daemon.connect();
  expect(await idsOf(audit.export({ cursor: "3", limit: 2 }))).toEqual(["d", "e", "f", "g"]);
  for await (const event of audit.export()) if (event.id === "d") break;
  expect(daemon.seen).toHaveLength(2 + 2);
  expect(await daemon.allClosed()).toBe(true);
});

test("exportPage returns one page and the next cursor", async () => {
  await using daemon = await sevenEvents();
  const { audit } = daemon.connect();
  const page = await audit.exportPage({ limit: 3 });
  expect([page.next_cursor, await idsOf(page.events)]).toEqual(["3", ["a", "b", "c"]]);
  const last = await audit.exportPage({ cursor: "6" });
  expect([last.next_cursor, await idsOf(last.events)]).toEqual([null, ["g"]]);
});

test("a line is yielded as soon as it has arrived, wherever the pieces of the answer end", async () => {
  const text = Buffer.from(ids.map(lineOf).join(""));
  let finish = (): void => undefined;
  const respond: Respond = (response) => {
    writeHead(response, null);
    const [first, rest] = [text.subarray(0, 60), text.subarray(60)];
    response.write(first);
    finish = () => {
      for (const byte of rest) response.write(Buffer.of(byte));
      response.end();
    };
  };
  await using daemon = await fakeDaemon(() => respond);
  const events = daemon.connect().audit.export();
  const first = await events.next();
  expect(first.value).toEqual({ id: "a", actor_name: "Ümlaut \u2028" });
  finish();
  expect(await idsOf(events)).toEqual(ids.slice(1));
});

test("an answer that ends within a line, or breaks, throws a ConnectionError after its whole lines", async () => {
  const ends: readonly Respond[] = [
    (response) => response.end(lineOf("a") + lineOf("b").slice(0, 9)),
    (response) => response.write(lineOf("a"), () => setImmediate(() => response.destroy())),
  ];
  for (const end of ends) {
    await using daemon = await fakeDaemon(() => (response) => {
      writeHead(response, null);
      end(response);
    });
    const events = daemon.connect({ retries: 0 }).audit.export();
    expect((await events.next()).value).toMatchObject({ id: "a" });
    await expect(events.next()).rejects.toThrow(ConnectionError);
  }
});

test("a refused export throws its error before the first event; a temporary failure is retried", async () => {
  await using refusing = await fakeDaemon(() => errorReply("audit_unavailable", 503));
  await expect(refusing.connect({ retries: 0 }).audit.export().next()).rejects.toThrow(AuditUnavailableError);
  let failures = 0;
  await using failing = await fakeDaemon(() =>
    failures++ === 0
      ? errorReply("internal", 503)
      : (response) => {
          writeHead(response, null);
          response.end(lineOf("a"));
        },
  );
  expect(await idsOf(failing.connect().audit.export())).toEqual(["a"]);
});

test("an answer of another type, or a line that is not JSON, is a CompatibilityError", async () => {
  await using json = await fakeDaemon(() => ({ json: { audit_events: [] } }));
  await expect(json.connect().audit.export().next()).rejects.toThrow(CompatibilityError);
  expect(await json.allClosed()).toBe(true);
  await using text = await fakeDaemon(() => (response) => {
    writeHead(response, null);
    response.end("not json\n");
  });
  await expect(text.connect().audit.export().next()).rejects.toThrow(CompatibilityError);
});

test("chain returns both ends", async () => {
  const ends = { head: { number: 2, hash: "b" }, anchor: null, authenticated_since: "x", tampered_at: null };
  await using daemon = await fakeDaemon(() => ({ json: ends }));
  expect(await daemon.connect().audit.chain()).toEqual(ends);
  expect(daemon.seen[0]).toMatchObject({ method: "GET", path: "/audit/chain" });
});
