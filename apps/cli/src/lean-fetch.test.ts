import { describe, expect, test } from "vitest";
import { LeanHeaders, LeanRequest, LeanResponse } from "./lean-fetch.ts";

type Classes = {
  readonly Headers: typeof Headers;
  readonly Request: typeof Request;
  readonly Response: typeof Response;
};

/** Node's own and ours: the SDK must get the same results from both. */
const implementations: readonly (readonly [string, Classes])[] = [
  ["Node's fetch", { Headers, Request, Response }],
  // LeanFetch has only what the SDK uses, which these tests cover
  ["the lean fetch", { Headers: LeanHeaders, Request: LeanRequest, Response: LeanResponse } as unknown as Classes],
];

describe.each(implementations)("%s", (_, { Headers, Request, Response }) => {
  test("headers are case-insensitive, and repeated ones are joined", () => {
    const headers = new Headers({ "Content-Type": "text/plain", Accept: " a " });
    headers.append("accept", "b");
    headers.set("X-One", "1");
    headers.delete("content-type");
    expect([headers.get("ACCEPT"), headers.get("x-one"), headers.has("Content-Type"), headers.get("nothing")]).toEqual([
      "a, b",
      "1",
      false,
      null,
    ]);
    expect(Object.fromEntries(new Headers(headers))).toEqual({ accept: "a, b", "x-one": "1" });
    expect([...new Headers([["a", "1"]]).entries()]).toEqual([["a", "1"]]);
  });

  test("a request has its URL, method, headers, body and signal", async () => {
    const { signal } = new AbortController();
    const request = new Request("http://localhost/v1/tasks?q=a b", {
      method: "post",
      headers: { a: "1" },
      body: "{}",
      signal,
    });
    expect([request.url, request.method, request.headers.get("a"), request.signal.aborted]).toEqual([
      "http://localhost/v1/tasks?q=a%20b",
      "POST",
      "1",
      false,
    ]);
    const copy = request.clone();
    expect(Buffer.from(await copy.arrayBuffer()).toString()).toBe("{}");
    const again = new Request(request, { signal: AbortSignal.abort() });
    expect([again.url, again.method, again.headers.get("a"), again.signal.aborted, await again.text()]).toEqual([
      request.url,
      "POST",
      "1",
      true,
      "{}",
    ]);
    expect(new Request(new URL("http://localhost/")).method).toBe("GET");
  });

  test("a response of bytes can be read as text, JSON and bytes", async () => {
    const response = new Response(new TextEncoder().encode('{"a":"ä"}').buffer, { status: 201, headers: { a: "1" } });
    expect([response.status, response.ok, response.headers.get("a")]).toEqual([201, true, "1"]);
    expect(await response.clone().json()).toEqual({ a: "ä" });
    expect(await response.text()).toBe('{"a":"ä"}');
    expect((await new Response(null, { status: 404 }).arrayBuffer()).byteLength).toBe(0);
    expect(new Response(null, { status: 404 }).ok).toBe(false);
  });

  test("a response of bytes can be read as a stream, and one without a body has none", async () => {
    const response = new Response(new TextEncoder().encode("a\nb\n"));
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body!) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe("a\nb\n");
    expect(new Response(null, { status: 204 }).body).toBeNull();
  });

  test("a response returns its stream unchanged", async () => {
    const stream = () =>
      new ReadableStream<Uint8Array>({
        start: (controller) => (
          controller.enqueue(Buffer.from("ab")),
          controller.enqueue(Buffer.from("c")),
          controller.close()
        ),
      });
    expect(await new Response(stream()).text()).toBe("abc");
    const reader = new Response(stream()).body!.getReader();
    expect(Buffer.from((await reader.read()).value ?? "").toString()).toBe("ab");
    await reader.cancel();
    expect(new Response("x", { status: 200 }).statusText).toBe("");
  });
});
