import { parseWebhook } from "@belfry/webhook-schema";
import { createTestDelivery } from "@belfry/webhook-schema/testing";
import { expect, test } from "vitest";
import { generateSigningSecret } from "../src/index.ts";

test("a generated signing secret is 32 random bytes in the format of channels and receivers, and never repeats", async () => {
  const secrets = Array.from({ length: 1_000 }, generateSigningSecret);
  expect(new Set(secrets).size).toBe(secrets.length);
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice("whsec_".length), "base64")).toHaveLength(32);
  }
  const { headers, body } = await createTestDelivery({ secret: secrets[0]! });
  await expect(parseWebhook(headers, body, { secret: secrets[0]! })).resolves.toMatchObject({
    schema: "service.webhook.v1",
  });
});
