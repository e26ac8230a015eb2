import { ManualClock } from "@belfry/test-kit";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { startDaemon } from "../../../../packages/server/tests/support/harness.ts";
import { startUi } from "./start-ui.ts";

describe("a launch token", () => {
  test("makes one session; a second use ends it", async () => {
    await using ui = await startUi();
    const token = ui.newToken();
    const first = await ui.exchange(token);
    const call = { path: "/shell/about", headers: { "belfry-session": first.json.session as string } };
    expect([first.status, (await ui.send(call)).status]).toEqual([201, 200]);
    const second = await ui.exchange(token);
    expect([second.status, second.json.error.code, second.headers["belfry-shell-error"]]).toEqual([
      401,
      "session_ended",
      "session_ended",
    ]);
    expect((await ui.send(call)).status).toBe(401);
    expect((await ui.exchange(token)).status).toBe(401);
  });

  test("ends the streams of the session too", async () => {
    await using daemon = await startDaemon();
    await using ui = await startUi({ socket: daemon.socketPath });
    const token = ui.newToken();
    const { session } = (await ui.exchange(token)).json as { session: string };
    const headers = { "belfry-session": session, "belfry-profile": "local" };
    const events = await fetch(`${ui.origin}/api/v1/events`, { headers });
    const ended = events.text().then(
      () => "complete",
      () => "cut",
    );
    await ui.exchange(token);
    expect(await ended).toBe("cut");
  });

  test("expires after a minute, and its session does not", async () => {
    const clock = new ManualClock("2026-11-21T00:00:00Z");
    await using ui = await startUi({ now: () => clock.now() });
    const [early, late] = [ui.newToken(), ui.newToken()];
    await clock.advance(59_999);
    const { session } = (await ui.exchange(early)).json as { session: string };
    await clock.advance(1);
    expect((await ui.exchange(late)).status).toBe(401);
    await clock.advance(7 * 86_400_000);
    expect((await ui.send({ path: "/shell/about", headers: { "belfry-session": session } })).status).toBe(200);
  });

  test("is exchanged only in a body of JSON", async () => {
    await using ui = await startUi();
    const token = ui.newToken();
    const body = JSON.stringify({ token });
    const path = "/shell/session";
    const types = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"];
    for (const type of types) {
      const got = await ui.send({ method: "POST", path, headers: { "content-type": type }, body });
      expect(got.status).toBe(415);
    }
    expect((await ui.send({ path: `${path}?token=${token}` })).status).toBe(401);
    expect((await ui.exchange(token)).status).toBe(201);
  });
});

describe("without a session", () => {
  test.each(["/shell/about", "/shell/profiles", "/shell/preferences", "/shell/nope", "/api/v1/tasks", "/api/v1/nope"])(
    "%s answers only that there is none",
    async (path) => {
      await using ui = await startUi();
      const made = "A".repeat(43);
      for (const headers of [{}, { "belfry-session": made }, { cookie: `belfry-session=${made}` }]) {
        const got = await ui.send({ path, headers: { "belfry-profile": "local", ...headers } });
        expect([got.status, got.json.error.code]).toEqual([401, "session_ended"]);
      }
    },
  );

  test("the page itself is served, with its policy and a nonce of its own each time", async () => {
    await using ui = await startUi();
    const [one, two] = [await ui.send({ path: "/" }), await ui.send({ path: "/" })];
    expect(one.headers).toMatchObject({
      "cache-control": "no-store",
      "content-type": "text/html; charset=utf-8",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
    expect(one.headers["set-cookie"]).toBeUndefined();
    expect(one.headers["access-control-allow-origin"]).toBeUndefined();
    const nonceOf = (got: typeof one) =>
      /^default-src 'self'; style-src 'self' 'nonce-([\w-]{22})'; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'$/.exec(
        got.headers["content-security-policy"] as string,
      )![1]!;
    expect(one.text).toContain(`nonce="${nonceOf(one)}"`);
    expect(nonceOf(one)).not.toBe(nonceOf(two));
  });

  test("a file whose name has a hash is kept, and every other is asked for again", async () => {
    await using ui = await startUi();
    const kept = async (path: string) => (await ui.send({ path })).headers["cache-control"];
    expect(await kept("/assets/index-1a2b.js")).toBe("private, max-age=31536000, immutable");
    expect(await kept("/favicon.svg")).toBe("no-cache");
  });
});

describe("a page elsewhere", () => {
  const foreign: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ["on another site", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
    ["on another site, without cors", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }],
    ["on another port of this machine", { origin: "http://127.0.0.1:1", "sec-fetch-site": "same-site" }],
    ["at localhost", { origin: "http://localhost" }],
    ["in a sandbox", { origin: "null" }],
    ["that a person typed", { "sec-fetch-site": "none" }],
    ["under TLS", { origin: "https://127.0.0.1" }],
  ];

  test.each(foreign)("%s calls nothing, even with the session", async (_where, headers) => {
    await using daemon = await startDaemon();
    await using ui = await startUi({ socket: daemon.socketPath });
    const page = await ui.open();
    for (const [method, path] of [
      ["GET", "/shell/profiles"],
      ["POST", "/shell/session"],
      ["GET", "/api/v1/tasks"],
      ["POST", "/api/v1/tasks"],
      ["OPTIONS", "/api/v1/tasks"],
    ] as const) {
      const got = await page.call(method, path, method === "POST" ? { token: ui.newToken() } : undefined, headers);
      expect([path, got.status, got.json.error.code]).toEqual([path, 403, "origin_rejected"]);
      expect(Object.keys(got.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
    expect((await daemon.call("GET", "/v1/tasks")).json.tasks).toEqual([]);
  });

  test.each(["evil.example", "localhost", "127.0.0.1", "127.0.0.1:1", "[::1]", "0.0.0.0", "127.1", "2130706433"])(
    "under the name %j reaches nothing: neither the page nor the API",
    async (name) => {
      await using ui = await startUi();
      const page = await ui.open();
      const host = /:\d+$/.test(name) || name === "127.0.0.1" ? name : `${name}:${ui.port}`;
      for (const path of ["/", "/assets/index-1a2b.js", "/shell/about", "/api/v1/tasks"])
        expect((await page.call("GET", path, undefined, { host })).status).toBe(421);
    },
  );

  test.each(["iframe", "frame", "embed", "object", "fencedframe"])("does not show it in an %s", async (destination) => {
    await using ui = await startUi();
    for (const site of ["cross-site", "same-site", "same-origin", "none"]) {
      const headers = { "sec-fetch-dest": destination, "sec-fetch-mode": "navigate", "sec-fetch-site": site };
      expect((await ui.send({ path: "/", headers })).status).toBe(403);
    }
  });

  test("loads none of its files, and may link to it", async () => {
    await using ui = await startUi();
    const path = "/assets/index-1a2b.js";
    const script = { "sec-fetch-dest": "script", "sec-fetch-mode": "no-cors" };
    expect((await ui.send({ path, headers: { ...script, "sec-fetch-site": "cross-site" } })).status).toBe(403);
    expect((await ui.send({ path, headers: { ...script, "sec-fetch-site": "same-origin" } })).status).toBe(200);
    const link = { "sec-fetch-dest": "document", "sec-fetch-mode": "navigate", "sec-fetch-site": "cross-site" };
    expect((await ui.send({ path: "/", headers: link })).status).toBe(200);
  });
});

describe("a path", () => {
  test.each([
    "/api/v1/../shell/about",
    "/api/v1/tasks/..",
    "/api/v1/tasks/%2e%2e/groups",
    "/api/v1/tasks/%2E%2E%2Fgroups",
    "/api/v1/tasks/a%2fb",
    "/api/v1/tasks/a%5cb",
    "/api/v1/tasks/a%252fb",
    "/api/v1//tasks",
    "//api/v1/tasks",
    "//evil.example/",
    "/api/v1/tasks/%00",
    "/api/v1/tasks/%0d%0ax",
    "/api/v1/tasks\\x",
    "/assets/../index.html",
    "/assets/%2e%2e/%2e%2e/etc/passwd",
    "http://127.0.0.1/api/v1/tasks",
    "http://evil.example/",
    "*",
  ])("such as %j is refused", async (path) => {
    await using ui = await startUi();
    const page = await ui.open();
    expect((await page.call("GET", path)).status).toBe(400);
  });

  test("of more than 8 KiB is refused", async () => {
    await using ui = await startUi();
    expect((await ui.send({ path: `/${"a".repeat(8 * 1024)}` })).status).toBe(400);
  });

  test.each([
    ["GET", "/api/v1/tasks/"],
    ["GET", "/api/v1/"],
    ["GET", "/api/v1/nope"],
    ["GET", "/api/v2/tasks"],
    ["GET", "/api/v1/tasks/%E0%A4%A"],
    ["PUT", "/api/v1/tasks"],
    ["OPTIONS", "/api/v1/tasks"],
    ["HEAD", "/api/v1/tasks"],
    ["TRACE", "/api/v1/tasks"],
    ["PROPFIND", "/api/v1/tasks"],
    ["POST", "/api/v1/enroll"],
    ["GET", "/shell/nope"],
    ["GET", "/shell/preferences/theme/more"],
  ])("that the contract does not have is not found: %s %s", async (method, path) => {
    await using ui = await startUi();
    const page = await ui.open();
    expect((await page.call(method, path)).status).toBe(404);
  });

  test("never leads to a file beside the screens", async () => {
    await using ui = await startUi();
    for (const path of ["/index.html", "/assets", "/assets/", "/config/belfry", "/.", "/assets/nope.js", "/tasks"])
      expect([400, 404]).toContain((await ui.send({ path })).status);
  });
});

describe("a request", () => {
  test.each(["", "host:\r\n", "host: evil.example\r\n"])("with the host line %j is refused", async (line) => {
    await using ui = await startUi();
    expect(await raw(ui.port, `GET / HTTP/1.1\r\n${line}\r\n`)).toMatch(/^HTTP\/1\.1 421 /);
  });

  test.each(["belfry-session", "belfry-profile", "host", "origin", "if-match", "idempotency-key"])(
    "with two headers %s is refused",
    async (name) => {
      await using ui = await startUi();
      const { session } = await ui.open();
      const values: Readonly<Record<string, string>> = {
        "belfry-session": session,
        "belfry-profile": "local",
        host: `127.0.0.1:${ui.port}`,
        origin: ui.origin,
        "if-match": "*",
        "idempotency-key": "x",
      };
      const lines = Object.entries(values).flatMap(([header, value]) =>
        (header === name ? [value, value] : [value]).map((one) => `${header}: ${one}\r\n`),
      );
      const answer = await raw(ui.port, `GET /api/v1/tasks HTTP/1.1\r\n${lines.join("")}connection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    },
  );

  test("with an ambiguous length ends the connection, and nothing of it is read as a second request", async () => {
    await using ui = await startUi();
    const host = `host: 127.0.0.1:${ui.port}\r\n`;
    const second = `GET / HTTP/1.1\r\n${host}\r\n`;
    for (const headers of [
      `content-length: 4\r\ntransfer-encoding: chunked\r\n`,
      `content-length: 4\r\ncontent-length: 5\r\n`,
      `transfer-encoding: chunked, identity\r\n`,
      `transfer-encoding : chunked\r\n`,
      `content-length: 0x4\r\n`,
    ]) {
      const answer = await raw(ui.port, `POST /shell/session HTTP/1.1\r\n${host}${headers}\r\n0\r\n\r\n${second}`);
      expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400"]);
    }
  });

  test("without a session is answered before its body has arrived, and the rest is not read as another", async () => {
    await using ui = await startUi();
    const head = `POST /api/v1/tasks HTTP/1.1\r\nhost: 127.0.0.1:${ui.port}\r\ncontent-length: 1000\r\n\r\n`;
    const answer = await raw(ui.port, `${head}GET / HTTP/1.1\r\nhost: 127.0.0.1:${ui.port}\r\n\r\n`);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 401"]);
  });

  test.each(["CONNECT 127.0.0.1:1 HTTP/1.1", "GET / HTTP/1.0", "GET /\x01 HTTP/1.1", "nonsense", "GET / HTTP/2.0"])(
    "such as %j gets no page",
    async (line) => {
      await using ui = await startUi();
      const answer = await raw(ui.port, `${line}\r\nhost: evil.example\r\n\r\n`);
      expect(answer).not.toMatch(/ 200 /);
    },
  );

  test("to switch the protocol is not obeyed", async () => {
    await using ui = await startUi();
    const { session } = await ui.open();
    const upgrade = `host: 127.0.0.1:${ui.port}\r\nbelfry-session: ${session}\r\nconnection: upgrade\r\nupgrade: websocket\r\n`;
    const answer = await raw(ui.port, `GET /api/v1/events HTTP/1.1\r\n${upgrade}\r\n`, 500);
    expect(answer).not.toMatch(/ 101 /);
  });
});

describe("a body", () => {
  test("over the limit of its operation is refused, whether or not it says its length", async () => {
    await using daemon = await startDaemon();
    await using ui = await startUi({ socket: daemon.socketPath });
    const page = await ui.open();
    const large = { name: "x".repeat(1024 * 1024) };
    expect((await page.call("POST", "/api/v1/tasks", large)).status).toBe(413);
    const chunked = await page.call("POST", "/api/v1/tasks", large, { "transfer-encoding": "chunked" });
    expect(chunked.status).toBe(413);
    // an import may be larger
    expect((await page.call("POST", "/api/v1/import", large)).status).toBe(400);
    const profile = { invitation: "x".repeat(20_000), phrase: "x" };
    expect((await page.call("POST", "/shell/profiles", profile)).status).toBe(413);
    expect((await page.call("PUT", "/shell/preferences/theme", "x".repeat(9_000))).status).toBe(413);
  });

  test("that is compressed, or not JSON, is refused", async () => {
    await using daemon = await startDaemon();
    await using ui = await startUi({ socket: daemon.socketPath });
    const page = await ui.open();
    for (const headers of [{ "content-encoding": "gzip" }, { "content-type": "text/plain" }])
      expect((await page.call("POST", "/api/v1/tasks", { name: "x" }, headers)).status).toBe(415);
    expect((await page.call("POST", "/api/v1/tasks/tsk_1/enable", { a: 1 })).status).toBe(413);
  });

  test("that is cut off changes nothing", async () => {
    await using daemon = await startDaemon();
    await using ui = await startUi({ socket: daemon.socketPath });
    const { headers } = await ui.open();
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const body = JSON.stringify({ name: "Half" });
    const head = `POST /api/v1/tasks HTTP/1.1\r\nhost: 127.0.0.1:${ui.port}\r\n${lines.join("")}content-type: application/json\r\ncontent-length: ${body.length + 1}\r\n\r\n`;
    await raw(ui.port, head + body);
    expect((await daemon.call("GET", "/v1/tasks")).json.tasks).toEqual([]);
  });
});

/** Sends bytes, ends the connection after them, and returns all that comes back. */
async function raw(port: number, bytes: string, withinMs?: number): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  if (withinMs === undefined) socket.end(bytes);
  else {
    socket.write(bytes);
    setTimeout(() => socket.destroy(), withinMs).unref();
  }
  return text(socket).catch(() => "");
}
