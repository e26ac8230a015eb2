import { errorStatus } from "@belfry/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startDaemon } from "../support/harness.ts";
import { fresh, missing } from "../support/api.ts";
import { useDaemonProcess } from "../support/processes/daemon-process.ts";
import { type Edge, edges, health, post, request } from "../support/edges.ts";
import { exchange, hang, type RawAnswer } from "../support/raw.ts";

const daemons = useDaemonProcess();

/** Once in this process, and once in its own process, where the HTTP library uses a faster path. */
const places = [
  { place: "within another program", start: () => startDaemon() },
  { place: "as its own process", start: () => daemons.start() },
];

describe.each(places)("a daemon $place", ({ start }) => {
  let daemon: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    daemon = await start();
  });
  afterAll(() => daemon?.[Symbol.asyncDispose]());

  const exchanged = (bytes: string | Buffer, options = {}) => exchange(daemon.socketPath, bytes, options);

  function expectHeaders(answer: RawAnswer): void {
    expect(answer.headers["x-request-id"]).toMatch(/^req_[0-9A-Za-z]{20}$/);
    expect(answer.headers["x-service-version"]).toMatch(/^1\.4\.0/);
    expect(answer.headers["cache-control"]).toBe("no-store");
  }

  function expectRefusal(answer: RawAnswer, { code, field = null }: Omit<Edge, "what" | "bytes">): void {
    expect(JSON.parse(answer.body)).toEqual({ error: { code, field, message: expect.any(String) } });
    expect(answer.status).toBe(errorStatus[code]);
    expect(answer.headers["content-type"]).toBe("application/json");
    expectHeaders(answer);
  }

  test.each(edges)("refuses $what: $code", async (edge) => {
    expectRefusal(await exchanged(edge.bytes), edge);
    expect((await exchanged(request(health))).status).toBe(200);
  });

  test.each([
    ["an absolute target", request("GET http://elsewhere/v1/health")],
    ["an empty Host", request(health, { Host: "" })],
    ["any Host at all", request(health, { Host: "rebound.example.org:8080" })],
    ["an IPv6 address as Host", request(health, { Host: "[::1]:80" })],
    ["Sec-Fetch-Mode alone, as Node's fetch sends it", request(health, { "Sec-Fetch-Mode": "cors" })],
    ["a request from an address bar", request(health, { "Sec-Fetch-Site": "none" })],
    ["an upgrade, which is ignored", request(health, { Connection: "Upgrade", Upgrade: "websocket" })],
    ["dots that lead back to the path", request("GET /v1/tasks/../health")],
    ["a question mark without a query", request("GET /v1/health?")],
    ["a query of separators only", request("GET /v1/health?&&")],
  ])("accepts %s", async (_what, bytes) => {
    const answer = await exchanged(bytes);
    expect([answer.status, answer.body]).toEqual([200, '{"status":"ok"}']);
    expectHeaders(answer);
  });

  test("accepts a complete surrogate pair, and text that only looks like an escape", async () => {
    const answer = await exchanged(post("/v1/groups", String.raw`{"name":"\ud83d\udd14 \\ud800"}`));
    expect([answer.status, JSON.parse(answer.body).name]).toEqual([201, "\u{1f514} \\ud800"]);
  });

  test.each([
    "application/json",
    "APPLICATION/JSON",
    "application/json;charset=utf-8",
    'application/json ; Charset="UTF-8"',
    "application/json; version=1",
    "application/json;",
  ])("accepts a body of type %s", async (type) => {
    const name = JSON.stringify({ name: fresh("typed") });
    const answer = await exchanged(post("/v1/groups", name, { "Content-Type": type, "Content-Encoding": "Identity" }));
    expect([answer.status, answer.body]).toEqual([201, expect.any(String)]);
  });

  test("reads a query as UTF-8, where + is a space", async () => {
    const name = "q \u00fc+\u{1f514}";
    expect((await exchanged(post("/v1/groups", JSON.stringify({ name })))).status).toBe(201);
    const found = await exchanged(request("GET /v1/groups?q=q+%C3%BC%2B%F0%9F%94%94&"));
    expect(JSON.parse(found.body).groups).toMatchObject([{ name }]);
  });

  test("needs no content type for an empty body", async () => {
    for (const more of [{ "Content-Type": undefined }, { "Content-Encoding": "gzip" }]) {
      const answer = await exchanged(post(`/v1/tasks/${missing.task}/run`, "", more));
      expectRefusal(answer, { code: "not_found" });
    }
  });

  test("lists the methods of a path in Allow, with HEAD wherever there is GET", async () => {
    const allowed = async (line: string) => (await exchanged(request(line))).headers["allow"];
    expect(await allowed("PUT /v1/tasks")).toBe("GET, HEAD, POST");
    expect(await allowed("POST /v1/tasks/x")).toBe("DELETE, GET, HEAD, PATCH");
    expect(await allowed("DELETE /v1/tasks/x/run")).toBe("POST");
    expect(await allowed("GET /v1/schedules/preview")).toBe("POST");
    const head = await exchanged(request("HEAD /v1/tasks/x/run"), { isHead: true });
    expect(head.headers["allow"]).toBe("POST");
  });

  test("sends 100 Continue to a caller that expects it", async () => {
    const answer = await exchanged(post("/v1/groups", '{"name":"asked for"}', { Expect: "100-continue" }));
    expect([answer.status, answer.isContinued, answer.isClosed]).toEqual([201, true, false]);
  });

  const waits = { "Content-Type": "application/json", "Content-Length": "20", Expect: "100-continue" };
  test.each<Edge>([
    {
      what: "a body that is too long",
      bytes: request("POST /v1/tasks", { ...waits, "Content-Length": "1048577" }),
      code: "payload_too_large",
    },
    {
      what: "another content type",
      bytes: request("POST /v1/tasks", { ...waits, "Content-Type": "text/plain" }),
      code: "unsupported_media_type",
      field: "Content-Type",
    },
    {
      what: "no content type",
      bytes: request("POST /v1/tasks", { ...waits, "Content-Type": undefined }),
      code: "unsupported_media_type",
      field: "Content-Type",
    },
    {
      what: "another encoding",
      bytes: request("POST /v1/tasks", { ...waits, "Content-Encoding": "gzip" }),
      code: "unsupported_media_type",
      field: "Content-Encoding",
    },
    {
      what: "another charset, in chunks",
      bytes: request("POST /v1/tasks", {
        ...waits,
        "Content-Length": undefined,
        "Transfer-Encoding": "chunked",
        "Content-Type": "application/json; charset=latin1",
      }),
      code: "unsupported_media_type",
      field: "Content-Type",
    },
    { what: "an unknown path", bytes: request("POST /v1/nothing", waits), code: "not_found" },
    {
      what: "a method that the path does not support",
      bytes: request("PUT /v1/tasks", waits),
      code: "method_not_allowed",
    },
    { what: "a browser", bytes: request("POST /v1/tasks", { ...waits, Origin: "null" }), code: "origin_rejected" },
    {
      what: "no Host",
      bytes: request("POST /v1/tasks", { ...waits, Host: undefined }),
      code: "validation_failed",
      field: "Host",
    },
    {
      what: "an unknown query parameter",
      bytes: request("POST /v1/tasks?x=1", waits),
      code: "validation_failed",
      field: "x",
    },
    {
      what: "an invalid Idempotency-Key",
      bytes: request("POST /v1/tasks", { ...waits, "Idempotency-Key": "." }),
      code: "validation_failed",
      field: "Idempotency-Key",
    },
  ])("refuses $what without asking for the body, and closes the connection", async ({ bytes, ...refused }) => {
    const answer = await exchanged(bytes);
    expectRefusal(answer, refused);
    expect([answer.isContinued, answer.headers["connection"]]).toEqual([false, "close"]);
  });

  test("answers a read with `Expect: 100-continue` directly, without a 100 Continue", async () => {
    const answer = await exchanged(request(health, { Expect: "100-continue" }));
    expect([answer.status, answer.isContinued]).toEqual([200, false]);
  });

  test("answers HEAD like GET, without a body", async () => {
    const here = await exchanged(request("HEAD /v1/health"), { isHead: true });
    expect([here.status, here.body]).toEqual([200, ""]);
    expectHeaders(here);
    const nowhere = await exchanged(request("HEAD /v1/nothing"), { isHead: true });
    expect([nowhere.status, nowhere.body]).toEqual([404, ""]);
    expectHeaders(nowhere);
  });

  test("keeps the connection after a refused request that was complete, and answers the next request on it", async () => {
    const bytes = `${request("GET /v1/nothing")}${request(health)}`;
    const answer = await exchanged(bytes);
    expect(answer.status).toBe(404);
    expect(answer.isClosed).toBe(false);
  });

  test("closes the connection after bytes that are not a request", async () => {
    const socket = await hang(daemon.socketPath, "garbage\r\n\r\n");
    const hasEnded = new Promise((resolve) => socket.once("end", () => resolve(true)).resume());
    expect(await hasEnded).toBe(true);
  });

  test("answers a HEAD of the event stream, and ends the answer", async () => {
    const answer = await exchanged(request("HEAD /v1/events"), { isHead: true });
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "text/event-stream"]);
    expect(answer.body).toBe("");
  });
});
