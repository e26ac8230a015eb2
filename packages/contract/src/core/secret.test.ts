import { expect, test } from "vitest";
import { z } from "zod";
import { isSecret, secret } from "./secret.ts";

test("a schema that was marked is known as secret, and is write-only in the document", () => {
  const key = secret(z.string().meta({ description: "The key" }));
  expect(isSecret(key)).toBe(true);
  expect(z.toJSONSchema(key)).toMatchObject({ type: "string", description: "The key", writeOnly: true });
});

test("it stays marked when it is checked or described further", () => {
  const key = secret(z.string());
  expect(isSecret(key.min(8))).toBe(true);
  expect(isSecret(key.meta({ description: "The key" }))).toBe(true);
});

test("a schema that was not marked is not", () => {
  expect(isSecret(z.string())).toBe(false);
});
