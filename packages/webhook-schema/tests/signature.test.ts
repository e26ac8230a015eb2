import { fc } from "@belfry/test-kit/properties";
import { parseWebhook } from "@belfry/webhook-schema";
import { createTestDelivery, fixtures } from "@belfry/webhook-schema/testing";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { describe, expect, test } from "vitest";

const secret = `whsec_${Buffer.alloc(32, "old key ").toString("base64")}`;
const newer = `whsec_${Buffer.alloc(24, "new key ").toString("base64")}`;
const longest = `whsec_${Buffer.alloc(64, "long key ").toString("base64")}`;
const now = Date.now();

const refused = { name: "WebhookParseError", reason: "unauthorized", status: 401 };

describe("the public standardwebhooks library", () => {
  test.each([[secret], [newer], [longest]])("verifies what is signed here", async (each) => {
    const { headers, body } = await createTestDelivery({ secret: each });
    expect(new Webhook(each).verify(body, headers)).toEqual(fixtures.success);
  });

  test("verifies with either secret what both signed", async () => {
    const { headers, body } = await createTestDelivery({ secret: [newer, secret] });
    expect(new Webhook(secret).verify(body, headers)).toEqual(fixtures.success);
    expect(new Webhook(newer).verify(body, headers)).toEqual(fixtures.success);
    expect(() => new Webhook(longest).verify(body, headers)).toThrow(WebhookVerificationError);
  });

  test.each([[secret], [newer], [longest]])(
    "signs what is verified here, under any of several secrets",
    async (each) => {
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
      await expect(parseWebhook(signed, body, { secret: others })).rejects.toMatchObject(refused);
    },
  );
});

describe("while one secret replaces another", () => {
  test.each([
    ["the sender has both, the receiver the old", [newer, secret], secret],
    ["the sender has both, the receiver the new", [newer, secret], newer],
    ["the sender has the old, the receiver both", secret, [secret, newer]],
    ["the sender has the new, the receiver both", newer, [secret, newer]],
    ["both have both", [newer, secret], [secret, newer]],
  ])("nothing is refused: %s", async (_, sender, receiver) => {
    const { headers, body } = await createTestDelivery({ secret: sender });
    expect(await parseWebhook(headers, body, { secret: receiver })).toEqual(fixtures.success);
  });

  test("signatures of other versions beside ours are passed over", async () => {
    const { headers, body } = await createTestDelivery({ secret });
    const ours = headers["webhook-signature"]!;
    const among = { ...headers, "webhook-signature": `v1a,AAAA v2,${ours.slice(3)} v1,!!! v1 ${ours}  ` };
    expect(await parseWebhook(among, body, { secret })).toEqual(fixtures.success);
    const without = { ...headers, "webhook-signature": `v1a,${ours.slice(3)} v2,${ours.slice(3)} ${ours.slice(3)}` };
    await expect(parseWebhook(without, body, { secret })).rejects.toMatchObject(refused);
  });
});

describe("what the signature covers", () => {
  test("is every byte of the body, the id and the time: one bit changed anywhere is refused", async () => {
    const { headers, body } = await createTestDelivery({ secret });
    const bytes = Buffer.from(body);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (index, bit) => {
        const changed = Buffer.from(bytes);
        changed[index]! ^= 1 << bit;
        await expect(parseWebhook(headers, changed, { secret })).rejects.toMatchObject(refused);
      }),
      { numRuns: 500 },
    );
    for (const [name, value] of [
      ["webhook-id", "dlv_00000000000000000000"],
      ["webhook-timestamp", String(Number(headers["webhook-timestamp"]) + 1)],
    ] as const) {
      await expect(parseWebhook({ ...headers, [name]: value }, body, { secret })).rejects.toMatchObject(refused);
    }
  });

  test("any signature that differs in one character is refused", async () => {
    const { headers, body } = await createTestDelivery({ secret });
    const signature = headers["webhook-signature"]!;
    for (let index = 0; index < signature.length; index += 1) {
      const other = signature[index] === "A" ? "Q" : "A";
      const changed = {
        ...headers,
        "webhook-signature": signature.slice(0, index) + other + signature.slice(index + 1),
      };
      await expect(parseWebhook(changed, body, { secret }), `character ${index}`).rejects.toMatchObject(refused);
    }
  });

  test.each(["", " ", "v1,", "v1,AAAA", "v1", ","])("the signature %j is refused", async (signature) => {
    const { headers, body } = await createTestDelivery({ secret });
    const changed = { ...headers, "webhook-signature": signature };
    await expect(parseWebhook(changed, body, { secret })).rejects.toMatchObject(refused);
  });

  test.each(["webhook-id", "webhook-timestamp", "webhook-signature"])(
    "a delivery without %s is refused",
    async (name) => {
      const { headers, body } = await createTestDelivery({ secret });
      const { [name]: _, ...without } = headers;
      const refusal = { ...refused, field: name, message: `${name} is missing: has the channel a signing secret?` };
      await expect(parseWebhook(without, body, { secret })).rejects.toMatchObject(refusal);
    },
  );
});

describe("a delivery that is sent again later", () => {
  const signedAt = 1_800_000_000_000;
  const minute = 60_000;

  test.each([0, 5 * minute, -5 * minute])("is taken %d ms from its time", async (age) => {
    const { headers, body } = await createTestDelivery({ secret, now: signedAt });
    const options = { secret, now: signedAt + age };
    expect(await parseWebhook(headers, body, options)).toEqual(fixtures.success);
    expect(await parseWebhook(headers, body, { secret, now: new Date(options.now) })).toEqual(fixtures.success);
  });

  test.each([
    [5 * minute + 1, "an old delivery was sent again"],
    [-5 * minute - 1, "the sender's runs ahead"],
  ])("is refused %d ms from its time", async (age, why) => {
    const { headers, body } = await createTestDelivery({ secret, now: signedAt });
    await expect(parseWebhook(headers, body, { secret, now: signedAt + age })).rejects.toMatchObject({
      ...refused,
      field: "webhook-timestamp",
      message: `The signature's time is not within 300 s of now: a clock is wrong, or ${why}.`,
    });
  });

  test("is judged by the tolerance that is asked for", async () => {
    const { headers, body } = await createTestDelivery({ secret, now: signedAt });
    const late = { secret, now: signedAt + 1_001 };
    await expect(parseWebhook(headers, body, { ...late, toleranceMs: 1_000 })).rejects.toMatchObject(refused);
    expect(await parseWebhook(headers, body, { ...late, toleranceMs: 1_001 })).toEqual(fixtures.success);
    await expect(parseWebhook(headers, body, { ...late, toleranceMs: Number.NaN })).rejects.toMatchObject(refused);
  });

  test.each(["soon", "1e9", "0x6b49d200", "-1", "", "1800000000.5", " 1800000000"])(
    "a time of %j is refused even when it is signed",
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
      await expect(parseWebhook(signed, body, { secret, now: signedAt })).rejects.toMatchObject(refused);
    },
  );

  test("is refused with the id of another delivery in its body, though the signature fits", async () => {
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

describe("a secret that is none is the receiver's own mistake, not the sender's", () => {
  const whole = secret.slice("whsec_".length);
  const wrong: [string, unknown][] = [
    ["not set", undefined],
    ["null", null],
    ["empty", ""],
    ["only a prefix", "whsec_"],
    ["without its prefix", whole],
    ["no base64", "whsec_§§§§"],
    ["too short", `whsec_${Buffer.alloc(23).toString("base64")}`],
    ["too long", `whsec_${Buffer.alloc(65).toString("base64")}`],
    ["no text", 5],
    ["none in the list", []],
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
