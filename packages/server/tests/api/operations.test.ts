import { type ErrorCode, errorsOf, type Operation } from "@belfry/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import { type Answer, type Harness, type Json, startDaemon } from "../support/harness.ts";
import { auditRowsOf, fresh } from "../support/api.ts";
import {
  expectAudited,
  expectAuditedRefusal,
  expectCommonHeaders,
  expectRefusal,
  linesOf,
  sampleOf,
  localOperations,
  send,
} from "../support/call.ts";
import { refusals } from "../support/refused-samples.ts";
import type { Sample } from "../support/sample-makers.ts";

/*
 * One daemon serves the whole table: each case creates its resources under unique names. A new operation is covered as
 * soon as `samples.ts` has a valid request for it.
 */
let daemon: Harness;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon?.[Symbol.asyncDispose]());

const named = (operations: readonly Operation[]) => operations.map((operation) => ({ id: operation.id, operation }));
const all = localOperations;
const withBody = all.filter(({ body }) => body !== undefined);
const withLimit = all.filter(({ query }) => query !== undefined && "limit" in query.shape);
const conditional = all.filter((operation) => operation.conditional === true);
const replayable = all.filter(({ replayedBy }) => replayedBy !== undefined);

function method(operation: Operation): string {
  return operation.method.toUpperCase();
}

function withQuery(path: string, member: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}${member}`;
}

function madeBy(operation: Operation, answer: Answer): Json {
  return (operation.makes ?? "id").split(".").reduce((at, name) => at[name], answer.json);
}

/** The path from which a conditional operation's resource is read: its path without a verb. Assignments are read where they are put. */
function resourcePath(path: string): string {
  if (path.endsWith("/notifications")) return path;
  if (path.startsWith("/v1/manifest")) return "/v1/manifest";
  return path
    .split("/")
    .slice(0, idAt(path) + 1)
    .join("/");
}

/** The position of the id in a path. */
function idAt(path: string): number {
  return path.startsWith("/v1/access/") ? 4 : 3;
}

/**
 * Expects a body without unknown members. The schema of an answer is open and drops such members, so the result is
 * compared.
 */
function expectFits(schema: z.ZodType, body: unknown): void {
  expect(schema.parse(body)).toEqual(body);
}

describe("a valid call is answered as described, and audited if its descriptor says so", () => {
  test.each(named(all))("$id", async ({ operation }) => {
    const answer = await send(daemon, operation, await sampleOf(daemon, operation));
    const { response } = operation;
    expect(answer.status, answer.text).toBe("status" in response ? response.status : 200);
    expectCommonHeaders(answer);
    expectAudited(daemon, operation, answer);
    if (response.kind === "empty") expect(answer.text).toBe("");
    if (response.kind !== "json") return expect(answer.headers["etag"]).toBeUndefined();
    expect(answer.headers["content-type"]).toBe("application/json");
    expectFits(response.schema, answer.json);
    expect(answer.headers["etag"]).toBe("revision" in answer.json ? `"${answer.json.revision}"` : undefined);
  });
});

describe("every declared error of an operation is answered as declared", () => {
  const cases = all.flatMap((operation) =>
    Object.entries(refusals[operation.id as keyof typeof refusals]).map(([code, make]) => ({
      id: operation.id,
      operation,
      code: code as ErrorCode,
      make,
    })),
  );
  test.each(cases)("$id: $code", async ({ operation, code, make }) => {
    expect(errorsOf(operation)).toContain(code);
    const answer = await send(daemon, operation, await (make as (api: Harness) => Promise<Sample>)(daemon));
    expectAuditedRefusal(daemon, operation, { answer, code });
  });
});

describe("an unknown query parameter is refused by name", () => {
  test.each(named(all))("$id", async ({ operation }) => {
    const sample = await sampleOf(daemon, operation);
    const answer = await send(daemon, operation, { ...sample, path: withQuery(sample.path, "surprise=1") });
    expectAuditedRefusal(daemon, operation, { answer, code: "validation_failed", field: "surprise" });
  });
});

describe("a repeated query parameter is refused as repeated, whatever its value", () => {
  const cases = all.flatMap((operation) =>
    Object.keys(operation.query?.shape ?? {}).map((name) => ({ id: operation.id, operation, name })),
  );
  test.each(cases)("$id: $name", async ({ operation, name }) => {
    const sample = await sampleOf(daemon, operation);
    const path = `${sample.path.split("?")[0]}?${name}=true&${name}=1`;
    const answer = await send(daemon, operation, { ...sample, path });
    expectAuditedRefusal(daemon, operation, { answer, code: "validation_failed", field: name });
    expect(answer.json.error.message).toBe(`${name} was given more than once: send it once`);
  });
});

/** A query with what the operation requires, to add a member to. */
const beginQuery = ({ id }: Operation): string =>
  id === "timeline.get"
    ? "from=2026-03-01T00:00:00Z&until=2026-03-02T00:00:00Z&"
    : id === "runs.failures"
      ? "since=2026-03-01T00:00:00Z&"
      : "";
/** A row of a timeline has many runs, and one of the failures has a whole one. */
const limitMaxOf = ({ id }: Operation): number => (id === "timeline.get" || id === "runs.failures" ? 200 : 1_000);

describe("a limit from 1 to the maximum is applied, and any other limit is refused", () => {
  test.each(named(withLimit))("$id", async ({ operation }) => {
    const { path } = await sampleOf(daemon, operation);
    const bare = `${path.split("?")[0]!}?${beginQuery(operation)}`;
    const max = limitMaxOf(operation);
    for (const limit of [String(max + 1), "0", "abc", "-1", "1.5", "1e2", "", " 1", "01x", "99999999999999999999"]) {
      const answer = await daemon.call("GET", `${bare}limit=${encodeURIComponent(limit)}`);
      expectAuditedRefusal(daemon, operation, { answer, code: "validation_failed", field: "limit" });
    }
    expect((await daemon.call("GET", `${bare}limit=1&limit=2`)).status).toBe(400);
    expect((await daemon.call("GET", `${bare}limit=${max}`)).status).toBe(200);
    const one = await daemon.call("GET", `${bare}limit=1`);
    const isLines = operation.response.kind === "ndjson";
    const list = isLines ? linesOf(one) : (Object.values(one.json).find(Array.isArray) as unknown[]);
    expect(list.length).toBeLessThanOrEqual(1);
  });
});

describe("a cursor that the daemon did not issue is refused", () => {
  test.each(named(withLimit.filter(({ query }) => "cursor" in query!.shape)))("$id", async ({ operation }) => {
    const { path } = await sampleOf(daemon, operation);
    for (const cursor of ["x", "AAAA", "../../etc/passwd", "a".repeat(1_000), "a".repeat(1_001), ""]) {
      const answer = await daemon.call(
        "GET",
        `${path.split("?")[0]}?${beginQuery(operation)}cursor=${encodeURIComponent(cursor)}`,
      );
      expectAuditedRefusal(daemon, operation, { answer, code: "validation_failed", field: "cursor" });
    }
  });
});

describe("an unknown body member is refused by name", () => {
  test.each(named(withBody))("$id", async ({ operation }) => {
    const sample = await sampleOf(daemon, operation);
    const answer = await send(daemon, operation, { ...sample, body: { ...(sample.body as object), surprise: 1 } });
    expectAuditedRefusal(daemon, operation, { answer, code: "validation_failed", field: "surprise" });
    const text = `${JSON.stringify(sample.body).slice(0, -1)}${JSON.stringify(sample.body) === "{}" ? "" : ","}"__proto__":{"x":1}}`;
    const polluting = await send(daemon, operation, { ...sample, body: text });
    expectAuditedRefusal(daemon, operation, { answer: polluting, code: "validation_failed", field: "__proto__" });
  });
});

describe("a body that is not a JSON object is refused", () => {
  test.each(named(withBody))("$id", async ({ operation }) => {
    const sample = await sampleOf(daemon, operation);
    const empty = operation.bodyOptional === true ? [] : ["", " \n"];
    for (const body of ['{"name":', "{]", "nothing", "null", "[]", '"text"', "7", "{} {}", ...empty]) {
      const headers = { "content-type": "application/json" };
      const answer = await daemon.call(method(operation), sample.path, body, headers);
      expectAuditedRefusal(daemon, operation, { answer, code: "validation_failed", field: null });
    }
  });
});

describe("a body of another type is refused, and JSON with a charset is not", () => {
  test.each(named(withBody))("$id", async ({ operation }) => {
    const sample = await sampleOf(daemon, operation);
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/jsonx",
    ]) {
      const answer = await daemon.call(method(operation), sample.path, sample.body, { "content-type": type });
      expectAuditedRefusal(daemon, operation, { answer, code: "unsupported_media_type", field: "Content-Type" });
    }
    const answer = await daemon.call(method(operation), sample.path, sample.body, {
      "content-type": "application/json; charset=utf-8",
    });
    expect(answer.status, answer.text).toBeLessThan(300);
  });
});

describe("an operation without a body refuses a body, and accepts an empty object", () => {
  const bodiless = all.filter((operation) => operation.body === undefined && operation.method !== "get");
  test.each(named(bodiless))("$id", async ({ operation }) => {
    const sample = await sampleOf(daemon, operation);
    // Node sends no Content-Length for a DELETE's body by itself
    const answer = await daemon.call(method(operation), sample.path, '{"name":"x"}', { "content-length": "12" });
    expectAuditedRefusal(daemon, operation, { answer, code: "validation_failed", field: null });
    expect((await daemon.call(method(operation), sample.path, "{}", { "content-length": "2" })).status).toBeLessThan(
      300,
    );
  });
});

describe("an optional body may be absent or empty", () => {
  test.each(named(withBody.filter(({ bodyOptional }) => bodyOptional === true)))("$id", async ({ operation }) => {
    for (const [body, headers] of [
      [undefined, {}],
      ["", { "content-type": "application/json" }],
      ["{}", { "content-type": "application/json" }],
    ] as const) {
      const { path } = await sampleOf(daemon, operation);
      const answer = await daemon.call(method(operation), path, body, headers);
      expect(answer.status, answer.text).toBeLessThan(300);
    }
  });
});

describe("If-Match: a stale or malformed tag is refused, `*` and the current tag are accepted", () => {
  test.each(named(conditional))("$id", async ({ operation }) => {
    const sample = await sampleOf(daemon, operation);
    const resource = resourcePath(sample.path);
    const before = await daemon.call("GET", resource);
    const stale = await send(daemon, operation, {
      ...sample,
      headers: { "if-match": `"${before.json.revision + 1}"` },
    });
    expectAuditedRefusal(daemon, operation, { answer: stale, code: "precondition_failed", field: null });
    for (const tag of ["1", '"x"', 'W/"1"', '"1", "2"', '""', "", '"-1"']) {
      const answer = await send(daemon, operation, { ...sample, headers: { "if-match": tag } });
      expectAuditedRefusal(daemon, operation, { answer, code: "validation_failed", field: "If-Match" });
    }
    // the health of a watcher changes without a call
    const after = (await daemon.call("GET", resource)).json;
    expect({ ...after, health: null }).toEqual({ ...before.json, health: null });
    const current = await send(daemon, operation, {
      ...sample,
      headers: { "if-match": String(before.headers["etag"]) },
    });
    expect(current.status, current.text).toBeLessThan(300);
    const any = await send(daemon, operation, { ...(await sampleOf(daemon, operation)), headers: { "if-match": "*" } });
    expect(any.status, any.text).toBeLessThan(300);
  });
});

describe("If-Match on a resource that does not exist is 404, whatever the tag", () => {
  test.each(named(conditional.filter(({ path }) => path.includes("{id}"))))("$id", async ({ operation }) => {
    const sample = await sampleOf(daemon, operation);
    const id = sample.path.split("/")[idAt(sample.path)]!;
    const path = sample.path.replace(id, `${id.slice(0, 4)}${"0".repeat(20)}`);
    for (const tag of ['"1"', '"999"', "malformed", "*"]) {
      const answer = await send(daemon, operation, { ...sample, path, headers: { "if-match": tag } });
      expectAuditedRefusal(daemon, operation, { answer, code: "not_found" });
    }
  });
});

describe("Idempotency-Key: a repeated call creates one resource, and another body is a conflict", () => {
  test.each(named(replayable))("$id", async ({ operation }) => {
    const key = fresh("key");
    const sample = { ...(await sampleOf(daemon, operation)), headers: { "idempotency-key": key } };
    const first = await send(daemon, operation, sample);
    expect(first.headers["idempotent-replay"]).toBeUndefined();
    const again = await send(daemon, operation, sample);
    const madeId = madeBy(operation, first);
    expect([again.status, madeBy(operation, again)]).toEqual([first.status, madeId]);
    if (operation.response.kind === "json") expectFits(operation.response.schema, again.json);
    expect(again.headers["idempotent-replay"]).toBe("true");
    expect(again.headers["etag"]).toBe(first.headers["etag"]);
    expect(auditRowsOf(daemon, first)).toHaveLength(1);
    // a replay that reveals a secret again is audited as a reveal
    const revealed = localOperations.find(({ id, audited }) => audited && id === operation.replayedBy);
    const isReveal = revealed !== undefined && revealed.id !== operation.id;
    expect(auditRowsOf(daemon, again)).toMatchObject(
      isReveal ? [{ operation: revealed.id, resource_id: madeId, result: "allowed" }] : [],
    );
    const use = await daemon.call("GET", `/v1/idempotency/${encodeURIComponent(key)}`);
    expect(use.json).toEqual({
      used: true,
      operation: operation.id,
      resource_id: madeId,
      at: expect.any(String),
    });
    const other = { ...(await sampleOf(daemon, operation)), headers: { "idempotency-key": key } };
    expectAuditedRefusal(daemon, operation, {
      answer: await send(daemon, operation, other),
      code: "conflict",
      field: null,
    });
  });
});

describe("an Idempotency-Key that is empty or over 200 characters is refused", () => {
  test.each(named(replayable))("$id", async ({ operation }) => {
    const sample = await sampleOf(daemon, operation);
    for (const key of ["", "k".repeat(201)]) {
      const answer = await send(daemon, operation, { ...sample, headers: { "idempotency-key": key } });
      expectAuditedRefusal(daemon, operation, { answer, code: "validation_failed", field: "Idempotency-Key" });
    }
    expect(
      (await send(daemon, operation, { ...sample, headers: { "idempotency-key": "k".repeat(200) } })).status,
    ).toBeLessThan(300);
  });
});

describe("a path answers only its own methods and lists them in a refusal, even if it also matches a pattern", () => {
  test.each([...new Set(all.map(({ path }) => path))].map((path) => ({ path })))("$path", async ({ path }) => {
    const concrete = path.replace(/\{\w+\}/, "x");
    const allowed = all
      .filter((operation) => operation.path === path)
      .flatMap((operation) => (operation.method === "get" ? ["GET", "HEAD"] : [method(operation)]))
      .sort();
    for (const other of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"].filter(
      (name) => !allowed.includes(name),
    )) {
      const answer = await daemon.call(other, `/v1${concrete}`);
      expectRefusal(answer, "method_not_allowed", null);
      expect(answer.headers["allow"]).toBe(allowed.join(", "));
      expect(auditRowsOf(daemon, answer)).toEqual([]);
    }
  });
});
