import { catalogue, errorCodes, errorStatus } from "@belfry/contract";
import { tempDir, until } from "@belfry/test-kit";
import { getEventListeners } from "node:events";
import { join } from "node:path";
import ky from "ky";
import { describe, expect, test } from "vitest";
import {
  AbortError,
  ApiError,
  type ApiErrorByCode,
  CompatibilityError,
  createClient,
  isApiError,
  isUncertainOutcomeError,
  NotFoundError,
  TimeoutError,
} from "../src/index.ts";
import { connectLocal, localTransport } from "../src/local.ts";
import { everyMethod } from "./every-method.ts";
import { fakeDaemon, manifest, errorReply, type Reply } from "./fake-daemon.ts";

const never: Reply = () => undefined;

describe("every method", () => {
  test.each(catalogue.filter((operation) => operation.id in everyMethod))(
    "$id is sent as $method $path",
    async ({ id, method, path, response, ...operation }) => {
      const answer = response.kind === "empty" ? { status: 204 } : { json: { answered: id, ...manifest } };
      await using daemon = await fakeDaemon((request) =>
        request.path === "/manifest" && request.method === "GET" ? null : answer,
      );
      const got = await everyMethod[id as keyof typeof everyMethod](daemon.connect());
      if (path === "/manifest" && method === "get") return expect(got).toEqual(manifest);
      const [seen, ...others] = daemon.seen;
      expect(others).toEqual([]);
      expect(seen).toMatchObject({ method: method.toUpperCase() });
      expect(seen?.path.split("?")[0]).toMatch(
        new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/, "[\\w-]+")}$`),
      );
      expect(seen?.headers["idempotency-key"] !== undefined).toBe("replayedBy" in operation);
      expect(seen?.headers["content-type"]).toBe(seen?.body === "" ? undefined : "application/json");
      expect(got).toEqual(response.kind === "empty" ? undefined : { answered: id, ...manifest });
    },
  );
});

describe("requests", () => {
  test("any id is encoded as one segment of the path", async () => {
    await using daemon = await fakeDaemon(() => ({ json: {} }));
    await daemon.connect().tasks.get("a/b?c#d e");
    expect(daemon.seen[0]?.path).toBe("/tasks/a%2Fb%3Fc%23d%20e");
  });

  test.each(["", ".", ".."])("an id of %j is rejected before sending, because it would change the path", async (id) => {
    await using daemon = await fakeDaemon(() => ({ json: {} }));
    await expect(daemon.connect().tasks.delete(id)).rejects.toBeInstanceOf(TypeError);
    expect(daemon.seen).toEqual([]);
  });

  test("a query is sent as text, without undefined members", async () => {
    await using daemon = await fakeDaemon(() => ({ json: { tasks: [], next_cursor: null } }));
    await daemon.connect().tasks.list({ limit: 7, enabled: false, q: "a&b", label: undefined });
    expect(daemon.seen[0]?.path).toBe("/tasks?limit=7&enabled=false&q=a%26b");
  });

  test("ifMatch becomes a strong tag", async () => {
    await using daemon = await fakeDaemon(({ path }) => (path === "/manifest" ? null : { json: {} }));
    const client = daemon.connect();
    await client.tasks.update("tsk_1", { name: "A" }, { ifMatch: 7 });
    await client.tasks.enable("tsk_1", { ifMatch: "*" });
    expect(daemon.seen.map((seen) => seen.headers["if-match"])).toEqual(['"7"', "*"]);
  });

  test("an idempotency key in the headers is used too, for the call and for its retry", async () => {
    const seen: unknown[] = [];
    await using daemon = await fakeDaemon(({ headers, path }) => {
      if (path === "/manifest") return null;
      seen.push(headers["idempotency-key"]);
      return seen.length === 1 ? { status: 503 } : { json: { id: "run_1" } };
    });
    const client = daemon.connect();
    const lost: unknown = await client.tasks
      .run("x", {}, { headers: { "Idempotency-Key": "mine" } })
      .catch((error: unknown) => error);
    if (!isUncertainOutcomeError(lost)) throw lost;
    await lost.retry();
    await client.tasks.run("x", {}, { idempotencyKey: "named", headers: { "idempotency-key": "mine" } });
    expect([lost.idempotencyKey, ...seen]).toEqual(["mine", "mine", "mine", "named"]);
  });

  test("a header that the call sets by itself is sent once, in whatever case it was given", async () => {
    await using daemon = await fakeDaemon(({ path }) => (path === "/manifest" ? null : { status: 204 }));
    await daemon.connect().tasks.delete("x", { ifMatch: 3, headers: { "If-Match": '"2"', Accept: "text/plain" } });
    expect(daemon.seen[0]?.headers).toMatchObject({ "if-match": '"3"', accept: "text/plain" });
  });

  test("a trigger key is sent without the line break of its file", async () => {
    await using daemon = await fakeDaemon(() => ({ json: {} }));
    await daemon.connect().triggers.fire("bfk_1 \r\n");
    expect(daemon.seen[0]?.body).toBe('{"key":"bfk_1"}');
  });

  test("a given idempotency key is used; otherwise each call gets its own", async () => {
    await using daemon = await fakeDaemon(({ path }) => (path === "/manifest" ? null : { status: 201, json: {} }));
    const client = daemon.connect();
    await client.tasks.create({ name: "A" }, { idempotencyKey: "mine" });
    await client.tasks.create({ name: "B" });
    await client.tasks.create({ name: "C" });
    const keys = daemon.seen.map((seen) => seen.headers["idempotency-key"]);
    expect(keys[0]).toBe("mine");
    expect(new Set(keys).size).toBe(3);
  });

  test("a call's headers override the client's", async () => {
    await using daemon = await fakeDaemon(() => ({ json: {} }));
    const client = daemon.connect({ headers: { "x-a": "client", "x-b": "client" } });
    await client.health.get({ headers: { "x-b": "call" } });
    expect(daemon.seen[0]?.headers).toMatchObject({ "x-a": "client", "x-b": "call" });
  });

  test("hooks are called for each request, response and retry", async () => {
    let answers = 0;
    await using daemon = await fakeDaemon(() =>
      answers++ === 0 ? errorReply("internal", 500) : { json: { status: "ok" } },
    );
    const calls: string[] = [];
    const client = daemon.connect({
      hooks: {
        beforeRequest: [({ request }) => void calls.push(`${request.method} ${new URL(request.url).pathname}`)],
        beforeRetry: [({ retryCount }) => void calls.push(`retry ${retryCount}`)],
        afterResponse: [({ response }) => void calls.push(String(response.status))],
      },
    });
    await client.health.get();
    expect(calls).toEqual(["GET /v1/health", "500", "retry 1", "200"]);
  });

  test("an error of a hook is thrown unchanged", async () => {
    await using daemon = await fakeDaemon(() => ({ json: {} }));
    const mistake = new RangeError("mine");
    const client = daemon.connect({ hooks: { beforeRequest: [() => Promise.reject(mistake)] } });
    await expect(client.health.get()).rejects.toBe(mistake);
  });

  test("any fetch can be a transport", async () => {
    await using daemon = await fakeDaemon(() => ({ json: { status: "ok" } }));
    const urls: string[] = [];
    const { fetch } = localTransport(daemon.socketPath);
    const transport = {
      baseUrl: "https://belfry.example/base",
      fetch: (request: Request) => {
        urls.push(request.url);
        return fetch(new Request("http://localhost/v1/health", request));
      },
    };
    expect(await createClient({ transport }).health.get()).toEqual({ status: "ok" });
    expect(urls).toEqual(["https://belfry.example/base/v1/health"]);
  });

  test("a failed call of another fetch leaves a mutation uncertain, because it may have sent the request", async () => {
    const transport = {
      baseUrl: "http://localhost",
      fetch: (request: Request) =>
        request.method === "GET"
          ? Promise.resolve(Response.json(manifest))
          : Promise.reject(new TypeError("fetch failed")),
    };
    const error: unknown = await createClient({ transport })
      .tasks.create({ name: "A" })
      .catch((reason: unknown) => reason);
    expect(isUncertainOutcomeError(error)).toBe(true);
  });
});

describe("answers", () => {
  test("withResponse adds the unread response and the request id", async () => {
    await using daemon = await fakeDaemon(() => ({ json: { status: "ok" } }));
    const { data, response, requestId } = await daemon.connect().health.get().withResponse();
    expect([data, requestId, response.status]).toEqual([{ status: "ok" }, "req_1", 200]);
    expect(await response.json()).toEqual(data);
    const raw = await daemon.connect().health.get().asResponse();
    expect(await raw.text()).toBe('{"status":"ok"}');
    const call = daemon.connect().health.get();
    expect(await call.asResponse()).toBe((await call.withResponse()).response);
  });

  test("a call behaves like a promise", async () => {
    await using daemon = await fakeDaemon(({ path }) =>
      path === "/health" ? { json: { status: "ok" } } : errorReply("not_found", 404),
    );
    const client = daemon.connect();
    let isOver = false;
    expect(await Promise.all([client.health.get(), client.health.get().then(({ status }) => status)])).toEqual([
      { status: "ok" },
      "ok",
    ]);
    expect(await client.tasks.get("tsk_1").catch((error: unknown) => isApiError(error, "not_found"))).toBe(true);
    await client.health.get().finally(() => (isOver = true));
    expect(isOver).toBe(true);
  });

  test("every form of a call throws the error, and no rejection stays unhandled", async () => {
    await using daemon = await fakeDaemon(() => errorReply("not_found", 404));
    const client = daemon.connect();
    await expect(client.tasks.get("tsk_1").asResponse()).rejects.toBeInstanceOf(NotFoundError);
    await expect(client.tasks.get("tsk_1").withResponse()).rejects.toBeInstanceOf(NotFoundError);
    await expect(client.tasks.list().asResponse()).rejects.toBeInstanceOf(NotFoundError);
  });

  test("an answer that is not JSON is a CompatibilityError", async () => {
    await using daemon = await fakeDaemon(() => (response) => response.end("<html>"));
    await expect(daemon.connect().health.get()).rejects.toBeInstanceOf(CompatibilityError);
  });
});

describe("errors", () => {
  test.each(errorCodes)("an error with the code %s has the class of that code", async (code) => {
    await using daemon = await fakeDaemon(() => errorReply(code, errorStatus[code], "command.script"));
    const error: unknown = await daemon
      .connect({ retries: 0 })
      .tasks.get("tsk_1")
      .catch((reason: unknown) => reason);
    // eight codes of a fire share one class
    const name = code.startsWith("trigger_") ? "TriggerFireError" : className(code);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      name,
      status: errorStatus[code],
      code,
      field: "command.script",
      requestId: "req_1",
      message: `refused with ${code}`,
    });
    expect(isApiError(error, code)).toBe(true);
    expect(isApiError(error, code === "internal" ? "conflict" : "internal")).toBe(false);
    expect(String(error)).toBe(`${name}: refused with ${code}`);
  });

  test("an unknown code of a newer daemon stays readable", async () => {
    await using daemon = await fakeDaemon(() => errorReply("toString", 418));
    await expect(daemon.connect().tasks.get("tsk_1")).rejects.toMatchObject({
      name: "ApiError",
      code: "toString",
      status: 418,
    });
  });

  test("an error without a code gets one from its status", async () => {
    await using daemon = await fakeDaemon(() => (response) => response.writeHead(404).end());
    await expect(daemon.connect().tasks.get("tsk_1")).rejects.toMatchObject({ name: "ApiError", code: "http_404" });
  });

  test("redirects are not followed", async () => {
    await using daemon = await fakeDaemon(
      () => (response) => response.writeHead(307, { location: "/v1/health" }).end(),
    );
    await expect(daemon.connect().tasks.get("tsk_1")).rejects.toMatchObject({ code: "http_307" });
    expect(daemon.seen.length).toBe(1);
  });

  test("the code narrows the type", () => {
    const narrowed = (error: unknown): "conflict" | null => (isApiError(error, "conflict") ? error.code : null);
    const classes: ApiErrorByCode["not_found"] extends NotFoundError ? true : false = true;
    expect([narrowed(null), classes]).toEqual([null, true]);
  });
});

describe("retries", () => {
  test("a GET is retried twice after a temporary failure", async () => {
    await using daemon = await fakeDaemon(() => errorReply("audit_unavailable", 503));
    const failures: number[] = [];
    const client = daemon.connect({ delayMs: (failure) => (failures.push(failure), 0) });
    await expect(client.tasks.get("tsk_1")).rejects.toMatchObject({ code: "audit_unavailable" });
    expect(daemon.seen.length).toBe(3);
    expect(failures).toEqual([1, 2]);
  });

  test("a mutation is not retried, whatever its method", async () => {
    await using daemon = await fakeDaemon(({ path }) =>
      path === "/manifest" ? null : errorReply("audit_unavailable", 503),
    );
    const client = daemon.connect({ retries: 5 });
    for (const call of [
      client.tasks.create({ name: "A" }),
      client.tasks.update("t", { name: "A" }),
      client.tasks.delete("t"),
    ]) {
      await expect(call).rejects.toMatchObject({ code: "audit_unavailable" });
    }
    expect(daemon.seen.map((seen) => seen.method)).toEqual(["POST", "PATCH", "DELETE"]);
  });

  test("not even a hook can repeat a mutation", async () => {
    await using daemon = await fakeDaemon(({ path }) => (path === "/manifest" ? null : { json: {} }));
    // the type of a hook excludes ky's retry marker; a cast does not help
    const again = ky.retry() as unknown as Response;
    const client = daemon.connect({
      hooks: { afterResponse: [({ request }) => (request.method === "GET" ? undefined : again)] },
    });
    await expect(client.tasks.enable("tsk_1")).rejects.toThrow("Forced retry");
    expect(daemon.seen.length).toBe(1);
  });

  test("a rejected request is not retried", async () => {
    await using daemon = await fakeDaemon(() => errorReply("forbidden", 403));
    await expect(daemon.connect({ retries: 5 }).tasks.get("tsk_1")).rejects.toMatchObject({ code: "forbidden" });
    expect(daemon.seen.length).toBe(1);
  });
});

describe("timeouts and aborts", () => {
  test("a read without an answer in time is a TimeoutError, and its connection is closed", async () => {
    await using daemon = await fakeDaemon(() => never);
    await expect(daemon.connect().health.get({ timeoutMs: 20 })).rejects.toBeInstanceOf(TimeoutError);
    expect(await daemon.allClosed()).toBe(true);
  });

  test("a body that stalls is a TimeoutError", async () => {
    await using daemon = await fakeDaemon(
      () => (response) => void response.writeHead(200, { "content-length": "9" }).write("{"),
    );
    await expect(daemon.connect({ timeoutMs: 20 }).health.get()).rejects.toBeInstanceOf(TimeoutError);
    expect(await daemon.allClosed()).toBe(true);
  });

  test("a mutation without an answer in time is uncertain", async () => {
    await using daemon = await fakeDaemon(({ path }) => (path.endsWith("/enable") ? never : null));
    const client = daemon.connect();
    await client.tasks.disable("tsk_1");
    const isSent = () => daemon.seen.some(({ path }) => path.endsWith("/enable"));
    const failEnabling = async (timeoutMs: number) => {
      const error: unknown = await client.tasks.enable("tsk_1", { timeoutMs }).catch((cause: unknown) => cause);
      // a short time may pass before anything is sent
      if (!(error instanceof TimeoutError)) return error;
      expect([error.message, isSent()]).toEqual([expect.stringContaining("Nothing was sent"), false]);
      return null;
    };
    let error = null;
    for (let timeoutMs = 250; error === null; timeoutMs *= 2) error = await failEnabling(timeoutMs);
    expect(error).toMatchObject({ name: "UncertainOutcomeError", cause: { name: "TimeoutError" } });
  });

  test("an abort before sending is an AbortError, for a mutation too", async () => {
    await using daemon = await fakeDaemon(({ path }) => (path === "/manifest" ? null : { json: {} }));
    const client = daemon.connect();
    await client.tasks.enable("tsk_1");
    await expect(client.tasks.enable("tsk_1", { signal: AbortSignal.abort() })).rejects.toBeInstanceOf(AbortError);
    await expect(client.tasks.get("tsk_1", { signal: AbortSignal.abort() })).rejects.toBeInstanceOf(AbortError);
    expect(daemon.seen.length).toBe(1);
  });

  test("an abort leaves a mutation uncertain, and ends a read with an AbortError", async () => {
    await using daemon = await fakeDaemon(({ path }) => (path === "/manifest" ? null : never));
    const client = daemon.connect();
    const controller = new AbortController();
    const { signal } = controller;
    const calls = [client.tasks.enable("tsk_1", { signal }), client.tasks.get("tsk_1", { signal })];
    const outcomes = Promise.allSettled(calls);
    await until("both have arrived", () => daemon.seen.length === 2);
    controller.abort("enough");
    expect((await outcomes).map((outcome) => outcome.status === "rejected" && outcome.reason)).toMatchObject([
      { name: "UncertainOutcomeError", cause: { name: "AbortError", cause: "enough" } },
      { name: "AbortError", cause: "enough" },
    ]);
    expect(await daemon.allClosed()).toBe(true);
  });

  test("an abort ends the delay before a retry", async () => {
    await using daemon = await fakeDaemon(() => errorReply("internal", 500));
    const controller = new AbortController();
    const delayMs = () => {
      queueMicrotask(() => controller.abort());
      return 3_600_000;
    };
    const client = daemon.connect({ delayMs });
    await expect(client.health.get({ signal: controller.signal })).rejects.toBeInstanceOf(AbortError);
  });

  test("a hundred calls leave no listener on their signal and no socket", async () => {
    await using daemon = await fakeDaemon(({ path }) => (path === "/manifest" ? null : { json: {} }));
    const client = daemon.connect();
    const { signal } = new AbortController();
    for (let call = 0; call < 100; call += 1) await client.tasks.enable("tsk_1", { signal });
    expect(await daemon.allClosed()).toBe(true);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("compatibility", () => {
  test("the protocol is checked once, before the first mutation, and not for reads", async () => {
    let checks = 0;
    await using daemon = await fakeDaemon(({ path }) => (path === "/manifest" ? ((checks += 1), null) : { json: {} }));
    const client = daemon.connect();
    await client.tasks.get("tsk_1");
    expect(checks).toBe(0);
    await client.tasks.enable("tsk_1");
    await client.tasks.enable("tsk_1");
    expect(checks).toBe(1);
  });

  test.each([
    ["v2", "Update @belfry/client"],
    ["v0", "Update the daemon"],
  ])("a daemon with protocol %s gets no mutation: %s", async (local, fix) => {
    const other = { ...manifest, protocol_versions: { local, remote: null } };
    await using daemon = await fakeDaemon(() => ({ json: other }));
    const attempt = daemon.connect().tasks.create({ name: "A" });
    await expect(attempt).rejects.toThrow(fix);
    await expect(attempt).rejects.toBeInstanceOf(CompatibilityError);
    expect(daemon.seen).toEqual([]);
  });

  test("the protocol is checked again after it was incompatible", async () => {
    let local = "v0";
    await using daemon = await fakeDaemon(({ path }) =>
      path === "/manifest" ? { json: { ...manifest, protocol_versions: { local, remote: null } } } : { json: {} },
    );
    const client = daemon.connect();
    await expect(client.tasks.enable("tsk_1")).rejects.toBeInstanceOf(CompatibilityError);
    local = "v1";
    await client.tasks.enable("tsk_1");
    expect(daemon.seen.length).toBe(1);
  });
});

describe("finding the daemon", () => {
  test("the same client finds a daemon restarted at another path", async () => {
    await using first = await fakeDaemon(() => ({ json: { status: "ok" } }));
    await using second = await fakeDaemon(() => ({ json: { status: "ok" } }));
    let socketPath = first.socketPath;
    const client = createClient({ transport: localTransport(() => socketPath) });
    await client.health.get();
    socketPath = second.socketPath;
    await client.health.get();
    expect([first.seen.length, second.seen.length]).toEqual([1, 1]);
  });

  test("a path too long for a socket is a ConnectionError", async () => {
    await using dir = await tempDir();
    const client = connectLocal({ socketPath: join(dir.path, "x".repeat(200)), delayMs: () => 0 });
    await expect(client.health.get()).rejects.toMatchObject({ name: "ConnectionError" });
  });
});

function className(code: string): string {
  const words = (code === "validation_failed" ? "validation" : code).split("_");
  return `${words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("")}Error`;
}
