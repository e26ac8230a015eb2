import { expect, test } from "vitest";
import { z } from "zod";
import { isSecret, secret } from "./secret.ts";

test("a schema marked as secret is recognized, and is write-only in the document", () => {
  const key = secret(z.string().meta({ description: "The key" }));
  expect(isSecret(key)).toBe(true);
  expect(z.toJSONSchema(key)).toMatchObject({ type: "string", description: "The key", writeOnly: true });
});

test("a marked schema stays marked after checks or a description are added", () => {
  const key = secret(z.string());
  expect(isSecret(key.min(8))).toBe(true);
  expect(isSecret(key.meta({ description: "The key" }))).toBe(true);
});

test("an unmarked schema is not secret", () => {
  expect(isSecret(z.string())).toBe(false);
});
