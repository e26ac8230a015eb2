import { until } from "@belfry/test-kit";
import type { ServerResponse } from "node:http";
import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { phrase } from "../../../../packages/client/tests/fake-remote-daemon.ts";
import { callBelfry } from "../call.ts";
import { newRemote } from "../machine.ts";
import { anyDaemon } from "./any-daemon.ts";
import { startUi } from "./start-ui.ts";

const sendJson = (response: ServerResponse, value: unknown, status = 200, headers = {}): void => {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
};

describe("a request", () => {
  test("reaches the daemon with these headers and no others", async () => {
    await using daemon = await anyDaemon((response) => sendJson(response, { id: "tsk_1" }, 201));
    await using ui = await startUi({ socket: daemon.socket });
    const page = await ui.open();
    const body = { name: "x" };
    await page.call("POST", "/api/v1/tasks", body, {
      accept: "*/*",
      authorization: "Bearer bat_x",
      cookie: "a=b",
      "if-match": '"1"',
      "idempotency-key": "k",
      origin: ui.origin,
      referer: `${ui.origin}/`,
      "sec-fetch-site": "same-origin",
      "x-forwarded-for": "192.0.2.1",
      "user-agent": "Browser",
      te: "trailers",
    });
    const [{ rawHeaders, ...sent }] = daemon.seen as [(typeof daemon.seen)[number]];
    expect(sent).toEqual({ method: "POST", url: "/v1/tasks", body: JSON.stringify(body) });
    const pairs = rawHeaders.flatMap((name, index) =>
      index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1]]] : [],
    );
    expect(Object.fromEntries(pairs)).toEqual({
      accept: "application/json",
      "content-type": "application/json",
      "content-length": "12",
      "idempotency-key": "k",
      "if-match": '"1"',
      host: "localhost",
      connection: "close",
    });
  });

  test("keeps its query, and its parameters as they were encoded", async () => {
    await using daemon = await anyDaemon((response) => sendJson(response, {}));
    await using ui = await startUi({ socket: daemon.socket });
    const page = await ui.open();
    await page.call("GET", "/api/v1/tasks?name=a%2Fb&label=x+y&limit=1?");
    await page.call("GET", "/api/v1/tasks/caf%C3%A9%20%3F");
    expect(daemon.seen.map(({ url }) => url)).toEqual([
      "/v1/tasks?name=a%2Fb&label=x+y&limit=1?",
      "/v1/tasks/caf%C3%A9%20%3F",
    ]);
  });

  test("ends at the daemon when the page goes away", async () => {
    await using daemon = await anyDaemon((response) =>
      response.writeHead(200, { "content-type": "text/event-stream" }).write(": hello\n\n"),
    );
    await using ui = await startUi({ socket: daemon.socket });
    const { headers } = await ui.open();
    const aborted = new AbortController();
    const answer = await fetch(`${ui.origin}/api/v1/events`, { headers, signal: aborted.signal });
    expect([answer.headers.get("content-type"), daemon.openConnections()]).toEqual(["text/event-stream", 1]);
    aborted.abort();
    await until("the end of the stream", () => daemon.openConnections() === 0);
  });

  test("ends at the daemon when the page goes away before there is an answer", async () => {
    await using daemon = await anyDaemon(() => {});
    await using ui = await startUi({ socket: daemon.socket });
    const { headers } = await ui.open();
    const aborted = new AbortController();
    const answer = fetch(`${ui.origin}/api/v1/tasks`, { headers, signal: aborted.signal });
    await until("the request", () => daemon.seen.length === 1);
    aborted.abort();
    await expect(answer).rejects.toBeDefined();
    await until("the end of the request", () => daemon.openConnections() === 0);
  });
});

describe("an answer", () => {
  test("is data, whatever the daemon says of it, with no headers that it chose", async () => {
    await using daemon = await anyDaemon((response) =>
      sendJson(response, { tasks: [] }, 200, {
        "set-cookie": "a=b",
        "access-control-allow-origin": "*",
        "content-security-policy": "default-src *",
        "x-frame-options": "ALLOWALL",
        location: "https://evil.example/",
        link: "<https://evil.example/x.css>; rel=stylesheet",
        refresh: "0; url=https://evil.example/",
        "clear-site-data": '"*"',
        "service-worker-allowed": "/",
        "x-next-cursor": "next",
        etag: '"3"',
      }),
    );
    await using ui = await startUi({ socket: daemon.socket });
    const page = await ui.open();
    const got = await page.call("GET", "/api/v1/tasks");
    const { date: _, connection: __, "transfer-encoding": ___, ...headers } = got.headers;
    expect(headers).toEqual({
      "cache-control": "no-store",
      "content-security-policy":
        "sandbox; default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      "content-type": "application/json",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      etag: '"3"',
      "permissions-policy": expect.any(String),
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "x-next-cursor": "next",
    });
  });

  const wrong: readonly (readonly [string, (response: ServerResponse) => void])[] = [
    ["a page", (response) => void response.writeHead(200, { "content-type": "text/html" }).end("<script>")],
    ["a page in place of an error", (response) => void response.writeHead(404).end("<h1>Not found</h1>")],
    ["a redirect", (response) => void response.writeHead(302, { location: "https://evil.example/" }).end()],
    ["a permanent redirect", (response) => void response.writeHead(308, { location: "/v1/tasks" }).end()],
    ["nothing changed", (response) => void response.writeHead(304).end()],
    ["no content", (response) => void response.writeHead(204).end()],
    ["a status that the API does not have", (response) => sendJson(response, {}, 206)],
    ["an error in another form", (response) => sendJson(response, { error: "no" }, 500)],
    ["an error without an end", sendLarge],
  ];

  test.each(wrong)("that is %s is thrown away", async (_what, answer) => {
    await using daemon = await anyDaemon(answer);
    await using ui = await startUi({ socket: daemon.socket });
    const page = await ui.open();
    const read = await page.call("GET", "/api/v1/tasks");
    expect([read.status, read.json.error.code, read.headers["belfry-shell-error"], read.headers["location"]]).toEqual([
      502,
      "malformed_answer",
      "malformed_answer",
      undefined,
    ]);
    // nobody knows what such a server has done with a change
    const change = await page.call("POST", "/api/v1/tasks", { name: "x" });
    expect([change.status, change.headers["belfry-shell-error"]]).toEqual([502, "uncertain"]);
  });

  test("to a change that is lost is uncertain, and the change is sent once", async () => {
    await using daemon = await anyDaemon((response) => response.destroy());
    await using ui = await startUi({ socket: daemon.socket });
    const page = await ui.open();
    const got = await page.call("POST", "/api/v1/tasks", { name: "x" });
    expect([got.status, got.json.error.code, got.headers["belfry-shell-error"]]).toEqual([
      502,
      "uncertain",
      "uncertain",
    ]);
    expect(daemon.seen).toHaveLength(1);
    expect((await page.call("GET", "/api/v1/tasks")).json.error.code).toBe("unreachable");
  });

  test.each([
    ["a known", { "content-length": 1_000 }],
    ["no known", {}],
  ])("that breaks off within an error of %s length does not say what the daemon did", async (_what, length) => {
    await using daemon = await anyDaemon((response) => {
      response.writeHead(409, { "content-type": "application/json", ...length });
      response.write('{"error":{"code":"conf', () => response.destroy());
    });
    await using ui = await startUi({ socket: daemon.socket });
    const page = await ui.open();
    const change = await page.call("POST", "/api/v1/tasks", { name: "x" });
    expect([change.status, change.json.error.code, change.headers["belfry-shell-error"]]).toEqual([
      502,
      "uncertain",
      "uncertain",
    ]);
    const read = await page.call("GET", "/api/v1/tasks");
    expect([read.status, read.json.error.code, read.headers["belfry-shell-error"]]).toEqual([
      503,
      "unreachable",
      "unreachable",
    ]);
    expect(change.text + read.text).not.toMatch(/\bat .*:\d+:\d+/);
    expect(daemon.seen).toHaveLength(2);
  });

  test("that breaks off never looks whole", async () => {
    await using daemon = await anyDaemon((response) => {
      response.writeHead(200, { "content-type": "text/plain" }).write("half", () => response.destroy());
    });
    await using ui = await startUi({ socket: daemon.socket });
    const { headers } = await ui.open();
    const answer = await fetch(`${ui.origin}/api/v1/runs/run_1/output`, { headers });
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toBeDefined();
  });

  test("is read no faster than the page reads it", async () => {
    const total = 64 * 1024 * 1024;
    let written = 0;
    await using daemon = await anyDaemon((response) => {
      const chunk = Buffer.alloc(64 * 1024, "x");
      const more = (): void => {
        while (written < total) {
          written += chunk.byteLength;
          if (!response.write(chunk)) return void response.once("drain", more);
        }
        response.end();
      };
      response.writeHead(200, { "content-type": "text/plain", "content-length": total });
      more();
    });
    await using ui = await startUi({ socket: daemon.socket });
    const { headers } = await ui.open();
    const bytes = await new Promise<number>((resolve, reject) => {
      const path = "/api/v1/runs/run_1/output";
      request({ host: "127.0.0.1", port: ui.port, path, headers }, (incoming) => {
        let before = -1;
        // nothing is read until the daemon can write no more
        const look = setInterval(() => {
          if (written !== before) return void (before = written);
          clearInterval(look);
          expect(written).toBeLessThan(total / 2);
          let sum = 0;
          incoming.on("data", (chunk: Buffer) => (sum += chunk.byteLength)).on("end", () => resolve(sum));
        }, 200);
      })
        .on("error", reject)
        .end();
    });
    expect(bytes).toBe(total);
  });
});

describe("a daemon on another machine", () => {
  const start = async (answer?: Parameters<typeof newRemote>[0]) => {
    const remote = await newRemote(answer);
    const ui = await startUi();
    const page = await ui.open("build");
    const enrolled = await page.call("POST", "/shell/profiles", {
      invitation: remote.invitation,
      phrase,
      name: "build",
    });
    expect(enrolled.status).toBe(201);
    return {
      remote,
      ui,
      page,
      [Symbol.asyncDispose]: async () => {
        await ui[Symbol.asyncDispose]();
        await remote[Symbol.asyncDispose]();
      },
    };
  };

  test("is reached as its profile says now, also if that is in the keychain", async () => {
    await using remote = await newRemote();
    const secrets = new Map<string, string>();
    const keychain = {
      read: async (account: string) => secrets.get(account) ?? null,
      write: async (account: string, secret: string) => void secrets.set(account, secret),
      remove: async (account: string) => secrets.delete(account),
    };
    await using ui = await startUi({ keychain });
    const page = await ui.open("build");
    const belfry = (...words: string[]) => callBelfry(words, { environment: ui.environment, keychain, stdin: phrase });
    expect(await belfry("enroll", remote.invitation, "--name", "build")).toMatchObject({ code: 0 });
    expect(secrets.size).toBe(1);
    expect((await page.call("GET", "/api/v1/manifest")).status).toBe(200);
    // more than the daemon grants
    expect((await belfry("profile", "edit", "build", "--capability", "enroll")).code).toBe(0);
    expect((await page.call("GET", "/api/v1/manifest")).json).toMatchObject({ error: { code: "grant_reduced" } });
    expect((await belfry("profile", "edit", "build", "--capability", "observe")).code).toBe(0);
    expect((await page.call("GET", "/api/v1/manifest")).status).toBe(200);
  });

  test("gets the token of its profile, and none of a page", async () => {
    await using world = await start();
    await world.page.call("GET", "/api/v1/tasks/tsk_1", undefined, { authorization: "Bearer bat_other" });
    const { headers } = world.remote.daemon.seen.at(-1)!;
    expect(headers.authorization).toMatch(/^Bearer bat_Xk3Wd8Lv_s+$/);
  });

  test("cannot end belfry ui with a code that is none", async () => {
    let isBad = false;
    const bad = { status: 403, json: { error: { code: "n\u00f6\n", field: null, message: "x" } } };
    await using world = await start(({ path }) => (isBad && path === "/manifest" ? bad : null));
    isBad = true;
    // a new connection begins with a check of the daemon
    world.remote.daemon.cut();
    const code = async () => (await world.page.call("GET", "/api/v1/tasks/tsk_1")).json.error?.code;
    await until("the answer of the new connection", async () => (await code()) === "malformed_answer");
    isBad = false;
    await until("an answer of the daemon", async () => (await code()) === undefined);
    expect((await world.page.call("GET", "/api/v1/tasks/tsk_1")).status).toBe(200);
  });

  test("cannot end belfry ui with an invitation either", async () => {
    await using remote = await newRemote(({ path }) =>
      path === "/enroll" ? { status: 400, json: { error: { code: "n\n", field: null, message: "x" } } } : null,
    );
    await using ui = await startUi();
    const page = await ui.open("build");
    const invitation = { invitation: remote.invitation, phrase, name: "build" };
    expect((await page.call("POST", "/shell/profiles", invitation)).status).toBeGreaterThanOrEqual(400);
    expect((await page.call("GET", "/shell/profiles")).status).toBe(200);
  });

  test("has only the operations that are remote", async () => {
    await using world = await start();
    const before = world.remote.daemon.seen.length;
    for (const [method, path] of [
      ["POST", "/api/v1/backup"],
      ["POST", "/api/v1/remote/enable"],
      ["POST", "/api/v1/access/pairings"],
      ["GET", "/api/v1/runtime-info"],
    ] as const)
      expect((await world.page.call(method, path)).status).toBe(404);
    expect(world.remote.daemon.seen.slice(before)).toEqual([]);
  });

  test("that answers with a page or a redirect is refused like one on this machine", async () => {
    await using world = await start(({ path }) =>
      path === "/tasks"
        ? (response) => void response.writeHead(200, { "content-type": "text/html" }).end("<script>alert(1)</script>")
        : path === "/groups"
          ? (response) => void response.writeHead(307, { location: "http://127.0.0.1/" }).end()
          : null,
    );
    for (const path of ["/api/v1/tasks", "/api/v1/groups"]) {
      const got = await world.page.call("GET", path);
      expect([got.status, got.headers["content-type"]]).toEqual([502, "application/json"]);
      expect(got.text).not.toContain("script");
    }
  });

  test("that withdrew the access says so, and the session of the page goes on", async () => {
    let isRevoked = false;
    const error = { code: "credential_revoked", field: null, message: "the credential was revoked" };
    await using world = await start(({ path }) =>
      isRevoked && path !== "/manifest" ? { status: 401, json: { error } } : null,
    );
    isRevoked = true;
    const got = await world.page.call("GET", "/api/v1/tasks/tsk_1");
    expect([got.status, got.json.error.code, got.headers["belfry-shell-error"]]).toEqual([
      401,
      "credential_revoked",
      "credential_revoked",
    ]);
    expect((await world.page.call("GET", "/shell/about")).status).toBe(200);
  });

  test("that grants less than the profile expects gets no call", async () => {
    let capability = "operate";
    await using world = await start(({ path }) =>
      path === "/access/current"
        ? { json: { actor_id: "act_1", actor_name: "L", credential_id: "crd_1", capability, expires_at: null } }
        : null,
    );
    capability = "observe";
    const less = await world.page.call("DELETE", "/api/v1/tasks/tsk_1");
    expect([less.status, less.json.error.code]).toEqual([403, "grant_reduced"]);
    expect(world.remote.daemon.seen.filter(({ method }) => method === "DELETE")).toEqual([]);
  });

  test("can be removed by another command meanwhile, and is then not called any more", async () => {
    await using world = await start();
    expect((await world.page.call("GET", "/api/v1/tasks/tsk_1")).status).toBe(200);
    expect((await world.page.call("DELETE", "/shell/profiles/build")).json).toEqual({
      profile: "build",
      credential_id: "crd_1",
    });
    expect((await world.page.call("GET", "/api/v1/tasks/tsk_1")).status).toBe(404);
  });
});

function sendLarge(response: ServerResponse): void {
  response.writeHead(500, { "content-type": "application/json" });
  const chunk = "x".repeat(64 * 1024);
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once("drain", more);
  };
  more();
}
