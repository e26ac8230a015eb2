import { fc } from "@belfry/test-kit/properties";
import { isWebhookParseError, parseWebhook, webhookBodyBytesMax, type WebhookHeaders } from "@belfry/webhook-schema";
import { createTestDelivery, fixtures } from "@belfry/webhook-schema/testing";
import { inspect } from "node:util";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";

const { headers, body } = await createTestDelivery();
const parse = (text: string | Uint8Array | ArrayBuffer, more: object = {}) =>
  parseWebhook({ ...headers, ...more }, text);
const bodyWith = (members: object): string => JSON.stringify({ ...fixtures.success, ...members });
const runWith = (members: object): string => bodyWith({ run: { ...fixtures.success.run, ...members } });

describe("a delivery is read", () => {
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const kinds: Record<string, WebhookHeaders> = {
    "from a web Headers": new Headers(headers),
    "from Node's lower-case headers": lower,
    "from a record in any case": headers,
    "from a record of lists": Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    "from a record without a prototype": Object.assign(Object.create(null) as object, headers),
    "with a charset": { ...headers, "Content-Type": "Application/JSON; charset=utf-8" },
    "with other headers": { ...lower, "x-request-id": undefined, accept: "*/*", cookie: ["a", "b"] },
    "with another User-Agent, as a proxy may set": { ...headers, "User-Agent": "proxy/1" },
  };
  test.each(Object.entries(kinds))("%s", async (_, given) => {
    expect(await parseWebhook(given, body)).toEqual(fixtures.success);
  });

  const bytes = Buffer.from(body);
  const bodies: Record<string, string | Uint8Array | ArrayBuffer> = {
    "from text": body,
    "from a Buffer within a larger one": Buffer.concat([Buffer.from("xx"), bytes, Buffer.from("yy")]).subarray(2, -2),
    "from a Uint8Array": new Uint8Array(bytes),
    "from an ArrayBuffer": new Uint8Array(bytes).buffer,
    "from an ArrayBuffer of another realm": runInNewContext("Uint8Array.from(bytes).buffer", { bytes }) as ArrayBuffer,
    "with white space around it": ` \n${body}\t`,
  };
  test.each(Object.entries(bodies))("%s", async (_, given) => {
    expect(await parse(given)).toEqual(fixtures.success);
  });

  test("with unknown members, which are kept", async () => {
    const payload = { ...fixtures.success, task: { ...fixtures.success.task, owner: null }, links: [1] };
    expect(await parse(JSON.stringify(payload))).toEqual(payload);
  });
});

describe("an invalid body is rejected with the status to answer and the member", () => {
  const { delivery, run, task } = fixtures.success;
  const { id: _, ...runWithoutId } = run;
  const cases: [string, string | Uint8Array, object][] = [
    ["an empty body", "", { reason: "not_json", status: 400, field: null }],
    ["half a body", body.slice(0, -1), { reason: "not_json" }],
    ["two bodies", body + body, { reason: "not_json" }],
    ["a byte order mark", `\ufeff${body}`, { reason: "not_json" }],
    ["bytes that are not UTF-8", Buffer.from(body.replace("Nightly", "\xff"), "latin1"), { reason: "not_json" }],
    [
      "an overlong encoding",
      Buffer.concat([Buffer.from('{"schema":"'), Buffer.from([0xc0, 0xaf])]),
      { reason: "not_json" },
    ],
    ["UTF-16", Buffer.from(body, "utf16le"), { reason: "not_json" }],
    [
      "a body nested 30,000 deep",
      bodyWith({ a: 0 }).replace('"a":0', `"a":${"[".repeat(30_000)}${"]".repeat(30_000)}`),
      { reason: "not_json" },
    ],
    ["a list", `[${body}]`, { reason: "schema", status: 400, field: null, message: "The body must be an object." }],
    ["null", "null", { reason: "schema", message: "The body must be an object." }],
    ["a text", '"service.webhook.v1"', { reason: "schema" }],
    ["an empty object", "{}", { reason: "schema", field: "schema", message: "schema is missing." }],
    [
      "another version",
      bodyWith({ schema: "service.webhook.v2" }),
      { field: "schema", message: 'schema must be "service.webhook.v1".' },
    ],
    [
      "another event",
      bodyWith({ event: "run.started" }),
      { field: "event", message: 'event must be "run.completed" or "test".' },
    ],
    ["an event with the name of a member of every object", bodyWith({ event: "constructor" }), { field: "event" }],
    ["no task", bodyWith({ task: undefined }), { field: "task", message: "task is missing." }],
    ["a list instead of a task", bodyWith({ task: [task] }), { field: "task", message: "task must be an object." }],
    ["a run without an id", bodyWith({ run: runWithoutId }), { field: "run.id", message: "run.id is missing." }],
    [
      "an unknown outcome",
      runWith({ outcome: "cancelled" }),
      { field: "run.outcome", message: 'run.outcome must be "success" or "failure".' },
    ],
    [
      "a null exit code",
      runWith({ exit_code: null }),
      { field: "run.exit_code", message: "run.exit_code must be a whole number." },
    ],
    ["a null group", bodyWith({ task: { ...task, group_id: null } }), { field: "task.group_id" }],
    [
      "a duration below 0",
      runWith({ duration_ms: -1 }),
      { field: "run.duration_ms", message: "run.duration_ms must be a whole number, 0 or greater." },
    ],
    ["a fraction of a millisecond", runWith({ duration_ms: 0.5 }), { field: "run.duration_ms" }],
    ["a duration that is not a safe integer", runWith({ duration_ms: 2 ** 53 }), { field: "run.duration_ms" }],
    ["an empty id", bodyWith({ delivery: { ...delivery, id: "" } }), { field: "delivery.id" }],
    [
      "a time with an offset",
      runWith({ ended_at: "2026-11-21T01:18:42+01:00" }),
      { field: "run.ended_at", message: "run.ended_at must be a time in UTC, for example 2026-11-21T01:18:00.123Z." },
    ],
    ["a day that does not exist", runWith({ ended_at: "2026-02-29T01:18:42Z" }), { field: "run.ended_at" }],
    ["a time of day that does not exist", runWith({ ended_at: "2026-11-21T24:00:00Z" }), { field: "run.ended_at" }],
    ["a time with a newline after it", runWith({ ended_at: "2026-11-21T01:18:42Z\n" }), { field: "run.ended_at" }],
    ["members that only the prototype has", `{"__proto__": ${body}}`, { reason: "schema", field: "schema" }],
  ];

  test.each(cases)("%s", async (_name, text, error) => {
    await expect(parse(text)).rejects.toMatchObject({ name: "WebhookParseError", ...error });
  });

  test("a leap day is accepted", async () => {
    const payload = await parse(runWith({ ended_at: "2028-02-29T23:59:59.999999999Z" }));
    expect(payload).toMatchObject({ run: { ended_at: "2028-02-29T23:59:59.999999999Z" } });
  });
});

describe("headers that differ from the body are rejected", () => {
  const cases: [string, object, object][] = [
    [
      "no delivery",
      { "X-Service-Delivery": undefined },
      { field: "X-Service-Delivery", message: "X-Service-Delivery is missing." },
    ],
    [
      "another delivery",
      { "X-Service-Delivery": "dlv_other" },
      { message: "X-Service-Delivery differs from the body's delivery.id." },
    ],
    [
      "a delivery twice",
      { "X-Service-Delivery": Array(2).fill(headers["X-Service-Delivery"]) },
      { field: "X-Service-Delivery" },
    ],
    [
      "a delivery in two spellings",
      { "x-service-delivery": headers["X-Service-Delivery"] },
      { field: "X-Service-Delivery" },
    ],
    [
      "no event",
      { "X-Service-Event": undefined },
      { field: "X-Service-Event", message: "X-Service-Event is missing." },
    ],
    ["another event", { "X-Service-Event": "test" }, { message: "X-Service-Event differs from the body's event." }],
    ["an event in capitals", { "X-Service-Event": "RUN.COMPLETED" }, { field: "X-Service-Event" }],
  ];
  test.each(cases)("%s", async (_, more, error) => {
    await expect(parse(body, more)).rejects.toMatchObject({ reason: "header_mismatch", status: 400, ...error });
  });

  test.each([undefined, "", "text/plain", "application/json-seq", "application/jsonp", "text/plain, application/json"])(
    "a content type of %j is 415",
    async (type) => {
      const error = { reason: "unsupported_media_type", status: 415, field: "Content-Type" };
      await expect(parse(body, { "Content-Type": type })).rejects.toMatchObject(error);
    },
  );
});

describe("the length of a body is limited", () => {
  const spareBytes = webhookBodyBytesMax - Buffer.byteLength(bodyWith({ more: "" }));

  test("to 64 KiB, to the byte", async () => {
    expect(await parse(bodyWith({ more: "x".repeat(spareBytes) }))).toMatchObject({ event: "run.completed" });
    const error = { reason: "too_large", status: 413, message: "The body is longer than 65536 bytes." };
    await expect(parse(bodyWith({ more: "x".repeat(spareBytes + 1) }))).rejects.toMatchObject(error);
    await expect(parse(Buffer.from(bodyWith({ more: "x".repeat(spareBytes + 1) })))).rejects.toMatchObject(error);
  });

  test("in bytes, not in characters", async () => {
    await expect(parse(bodyWith({ more: "é".repeat(spareBytes / 2 + 1) }))).rejects.toMatchObject({
      reason: "too_large",
    });
  });

  test("before it is parsed, whatever its length", async () => {
    await expect(parse("x".repeat(2 ** 28))).rejects.toMatchObject({ reason: "too_large" });
    await expect(parse(new Uint8Array(2 ** 28))).rejects.toMatchObject({ reason: "too_large" });
  });
});

describe("a member named __proto__", () => {
  const planted = `{"__proto__": {"isAdmin": true}, "task": {"__proto__": {"isAdmin": true}}`;

  test("is removed at any depth, so no object or copy gets it", async () => {
    const text = body.replace(
      "{",
      `{"__proto__": {"isAdmin": true}, "deep": [{"\\u005f_proto__": {"isAdmin": true}}],`,
    );
    const payload = (await parse(text)) as unknown as Record<string, Record<string, unknown>[]>;
    expect(Object.assign({}, payload)["isAdmin"]).toBeUndefined();
    expect(Object.hasOwn(payload, "__proto__")).toBe(false);
    expect(payload["deep"]).toEqual([{}]);
    expect(Object.hasOwn(payload["deep"]![0]!, "__proto__")).toBe(false);
  });

  test("does not supply a missing member", async () => {
    await expect(parse(`${planted}}`)).rejects.toMatchObject({ field: "schema" });
  });
});

test("a parsed body is a TypeError, and the message says how to fix it", async () => {
  for (const parsed of [fixtures.success, undefined, null, 5, [1, 2]]) {
    await expect(parse(parsed as unknown as string)).rejects.toThrow(
      /before any JSON parser \(in Express: express.raw\)/,
    );
    await expect(parse(parsed as unknown as string)).rejects.toThrow(TypeError);
  }
});

test("the payload is read from the verified bytes, even if the caller changes its buffer", async () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const signed = await createTestDelivery({ secret });
  const bytes = Buffer.from(signed.body);
  const parsing = parseWebhook(signed.headers, bytes, { secret });
  bytes.write(signed.body.replace('"success"', '"failure"'));
  expect(await parsing).toEqual(fixtures.success);
});

test("any input gives a payload, or an error that contains no part of the input", async () => {
  const marker = "pL4nt3d";
  const secret = `whsec_${Buffer.from(marker.repeat(4)).toString("base64")}`;
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.json(),
    fc.mixedCase(fc.constant(body)),
    fc.nat(body.length).map((cut) => body.slice(0, cut) + marker + body.slice(cut)),
  );
  const values = fc.option(fc.oneof(fc.string(), fc.constant(marker), fc.array(fc.string())), { nil: undefined });
  const names = [...Object.keys(headers), "webhook-id", "webhook-timestamp", "webhook-signature"];
  const given = fc.record(Object.fromEntries(names.map((name) => [name, values])), { requiredKeys: [] });
  let errorCount = 0;
  await fc.assert(
    fc.asyncProperty(text, given, fc.boolean(), async (sent, more, isSigned) => {
      const options = isSigned ? { secret } : {};
      const error = await parseWebhook({ ...headers, ...more }, sent, options).then(
        () => null,
        (thrown: Error) => thrown,
      );
      if (error === null) return;
      errorCount += 1;
      expect(isWebhookParseError(error)).toBe(true);
      const printed = [inspect(error), JSON.stringify(error), error.message].join("\n").replaceAll(/^ +at .*$/gm, "");
      expect(printed).not.toContain(marker);
      expect(printed).not.toContain(secret.slice(6));
    }),
    { numRuns: 2_000 },
  );
  expect(errorCount).toBeGreaterThan(1_000);
});
