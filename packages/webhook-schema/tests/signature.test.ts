import { fc } from "@belfry/test-kit/properties";
import { parseWebhook } from "@belfry/webhook-schema";
import { createTestDelivery, fixtures } from "@belfry/webhook-schema/testing";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { describe, expect, test } from "vitest";

const secret = `whsec_${Buffer.alloc(32, "old key ").toString("base64")}`;
const newer = `whsec_${Buffer.alloc(24, "new key ").toString("base64")}`;
const longest = `whsec_${Buffer.alloc(64, "long key ").toString("base64")}`;
const now = Date.now();

const rejected = { name: "WebhookParseError", reason: "unauthorized", status: 401 };

describe("the public standardwebhooks library", () => {
  test.each([[secret], [newer], [longest]])("verifies our signatures", async (each) => {
    const { headers, body } = await createTestDelivery({ secret: each });
    expect(new Webhook(each).verify(body, headers)).toEqual(fixtures.success);
  });

  test("verifies with either of two secrets that both signed", async () => {
    const { headers, body } = await createTestDelivery({ secret: [newer, secret] });
    expect(new Webhook(secret).verify(body, headers)).toEqual(fixtures.success);
    expect(new Webhook(newer).verify(body, headers)).toEqual(fixtures.success);
    expect(() => new Webhook(longest).verify(body, headers)).toThrow(WebhookVerificationError);
  });

  test.each([[secret], [newer], [longest]])("signs, and we verify with any of several secrets", async (each) => {
    const { headers, body } = await createTestDelivery({ payload: fixtures.nonAsciiNames });
    const signed = {
      ...headers,
      "webhook-id": fixtures.nonAsciiNames.delivery.id,
      "webhook-timestamp": String(Math.floor(now / 1000)),
      "webhook-signature": new Webhook(each).sign(fixtures.nonAsciiNames.delivery.id, new Date(now), body),
    };
    const parsed = await parseWebhook(signed, body, { secret: [longest, secret, newer] });
    expect(parsed).toEqual(fixtures.nonAsciiNames);
    const others = [secret, newer, longest].filter((other) => other !== each);
    await expect(parseWebhook(signed, body, { secret: others })).rejects.toMatchObject(rejected);
  });
});

describe("during a rotation", () => {
  test.each([
    ["the sender has both, the receiver the old", [newer, secret], secret],
    ["the sender has both, the receiver the new", [newer, secret], newer],
    ["the sender has the old, the receiver both", secret, [secret, newer]],
    ["the sender has the new, the receiver both", newer, [secret, newer]],
    ["both have both", [newer, secret], [secret, newer]],
  ])("a delivery is accepted: %s", async (_, sender, receiver) => {
    const { headers, body } = await createTestDelivery({ secret: sender });
    expect(await parseWebhook(headers, body, { secret: receiver })).toEqual(fixtures.success);
  });

  test("signatures of other versions are ignored", async () => {
    const { headers, body } = await createTestDelivery({ secret });
    const ours = headers["webhook-signature"]!;
    const among = { ...headers, "webhook-signature": `v1a,AAAA v2,${ours.slice(3)} v1,!!! v1 ${ours}  ` };
    expect(await parseWebhook(among, body, { secret })).toEqual(fixtures.success);
    const without = { ...headers, "webhook-signature": `v1a,${ours.slice(3)} v2,${ours.slice(3)} ${ours.slice(3)}` };
    await expect(parseWebhook(without, body, { secret })).rejects.toMatchObject(rejected);
  });
});

describe("the signature", () => {
  test("covers every byte of the body, the id and the time: one changed bit is rejected", async () => {
    const { headers, body } = await createTestDelivery({ secret });
    const bytes = Buffer.from(body);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (index, bit) => {
        const changed = Buffer.from(bytes);
        changed[index]! ^= 1 << bit;
        await expect(parseWebhook(headers, changed, { secret })).rejects.toMatchObject(rejected);
      }),
      { numRuns: 500 },
    );
    for (const [name, value] of [
      ["webhook-id", "dlv_00000000000000000000"],
      ["webhook-timestamp", String(Number(headers["webhook-timestamp"]) + 1)],
    ] as const) {
      await expect(parseWebhook({ ...headers, [name]: value }, body, { secret })).rejects.toMatchObject(rejected);
    }
  });

  test("is rejected if one character differs", async () => {
    const { headers, body } = await createTestDelivery({ secret });
    const signature = headers["webhook-signature"]!;
    for (let index = 0; index < signature.length; index += 1) {
      const other = signature[index] === "A" ? "Q" : "A";
      const changed = {
        ...headers,
        "webhook-signature": signature.slice(0, index) + other + signature.slice(index + 1),
      };
      await expect(parseWebhook(changed, body, { secret }), `character ${index}`).rejects.toMatchObject(rejected);
    }
  });

  test.each(["", " ", "v1,", "v1,AAAA", "v1", ","])("%j is rejected", async (signature) => {
    const { headers, body } = await createTestDelivery({ secret });
    const changed = { ...headers, "webhook-signature": signature };
    await expect(parseWebhook(changed, body, { secret })).rejects.toMatchObject(rejected);
  });

  test.each(["webhook-id", "webhook-timestamp", "webhook-signature"])("is rejected without %s", async (name) => {
    const { headers, body } = await createTestDelivery({ secret });
    const { [name]: _, ...without } = headers;
    const error = {
      ...rejected,
      field: name,
      message: `${name} is missing. Check that the channel has a signing secret.`,
    };
    await expect(parseWebhook(without, body, { secret })).rejects.toMatchObject(error);
  });
});

describe("a replayed delivery", () => {
  const signedAt = 1_800_000_000_000;
  const minute = 60_000;

  test.each([0, 5 * minute, -5 * minute])("is accepted %d ms from its time", async (age) => {
    const { headers, body } = await createTestDelivery({ secret, now: signedAt });
    const options = { secret, now: signedAt + age };
    expect(await parseWebhook(headers, body, options)).toEqual(fixtures.success);
    expect(await parseWebhook(headers, body, { secret, now: new Date(options.now) })).toEqual(fixtures.success);
  });

  test.each([
    [5 * minute + 1, "A clock is wrong, or the request is a replay of an old one"],
    [-5 * minute - 1, "The sender's clock is ahead, or this machine's clock is behind"],
  ])("is rejected %d ms from its time", async (age, cause) => {
    const { headers, body } = await createTestDelivery({ secret, now: signedAt });
    await expect(parseWebhook(headers, body, { secret, now: signedAt + age })).rejects.toMatchObject({
      ...rejected,
      field: "webhook-timestamp",
      message: `The signature's time must be within 300 s of now. ${cause}.`,
    });
  });

  test("is checked with the given tolerance", async () => {
    const { headers, body } = await createTestDelivery({ secret, now: signedAt });
    const late = { secret, now: signedAt + 1_001 };
    await expect(parseWebhook(headers, body, { ...late, toleranceMs: 1_000 })).rejects.toMatchObject(rejected);
    expect(await parseWebhook(headers, body, { ...late, toleranceMs: 1_001 })).toEqual(fixtures.success);
    await expect(parseWebhook(headers, body, { ...late, toleranceMs: Number.NaN })).rejects.toMatchObject(rejected);
  });

  test.each(["soon", "1e9", "0x6b49d200", "-1", "", "1800000000.5", " 1800000000"])(
    "is rejected with the time %j, even if it is signed",
    async (timestamp) => {
      const { headers, body } = await createTestDelivery({});
      const { readSecrets, sign } = await import("../src/signature.ts");
      const parts = { id: fixtures.success.delivery.id, timestamp, body: Buffer.from(body) };
      const signed = {
        ...headers,
        "webhook-id": parts.id,
        "webhook-timestamp": timestamp,
        "webhook-signature": await sign(readSecrets(secret)[0]!, parts),
      };
      await expect(parseWebhook(signed, body, { secret, now: signedAt })).rejects.toMatchObject(rejected);
    },
  );

  test("is rejected if the body has another id, even if the signature matches", async () => {
    const { headers, body } = await createTestDelivery({ secret });
    const { readSecrets, sign } = await import("../src/signature.ts");
    const parts = { id: "dlv_other", timestamp: headers["webhook-timestamp"]!, body: Buffer.from(body) };
    const signed = {
      ...headers,
      "webhook-id": parts.id,
      "webhook-signature": await sign(readSecrets(secret)[0]!, parts),
    };
    await expect(parseWebhook(signed, body, { secret })).rejects.toMatchObject({
      reason: "header_mismatch",
      field: "webhook-id",
    });
  });
});

describe("an invalid secret is a TypeError: a mistake of the receiver, not of the sender", () => {
  const whole = secret.slice("whsec_".length);
  const wrong: [string, unknown][] = [
    ["not set", undefined],
    ["null", null],
    ["empty", ""],
    ["only a prefix", "whsec_"],
    ["without its prefix", whole],
    ["not base64", "whsec_§§§§"],
    ["too short", `whsec_${Buffer.alloc(23).toString("base64")}`],
    ["too long", `whsec_${Buffer.alloc(65).toString("base64")}`],
    ["not a string", 5],
    ["an empty list", []],
    ["one of two not set", [secret, undefined]],
  ];

  test.each(wrong)("%s", async (_, given) => {
    const delivery = await createTestDelivery({ secret });
    const attempt = parseWebhook(delivery.headers, delivery.body, { secret: given as string });
    await expect(attempt).rejects.toThrow(TypeError);
    await expect(attempt).rejects.not.toMatchObject({ message: expect.stringContaining(whole) });
    await expect(createTestDelivery({ secret: given as string })).rejects.toThrow(TypeError);
  });
});
