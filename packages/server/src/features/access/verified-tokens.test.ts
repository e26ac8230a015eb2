import { expect, test } from "vitest";
import { createVerifiedTokens } from "./verified-tokens.ts";

test("a token is recognized after it was verified, and no other is", () => {
  const verified = createVerifiedTokens();
  expect(verified.credentialOf("bat_a")).toBeNull();
  verified.remember("bat_a", "crd_a");
  expect([verified.credentialOf("bat_a"), verified.credentialOf("bat_b")]).toEqual(["crd_a", null]);
});

test("beyond the maximum, the oldest token is verified again", () => {
  const verified = createVerifiedTokens(2);
  for (const name of ["a", "b", "c"]) verified.remember(`bat_${name}`, `crd_${name}`);
  expect(["a", "b", "c"].map((name) => verified.credentialOf(`bat_${name}`))).toEqual([null, "crd_b", "crd_c"]);
});
