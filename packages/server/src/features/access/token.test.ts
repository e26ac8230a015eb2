import { expect, test } from "vitest";
import { createToken, isTokenOf, publicPartOf, readBearer } from "./token.ts";

test("a token has a public part and 256 random bits, and only a salted hash of it is stored", () => {
  const { token, stored } = createToken();
  expect(token).toMatch(/^bat_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}$/);
  expect(62n ** 43n).toBeGreaterThan(2n ** 256n);
  expect(publicPartOf(token)).toBe(stored.publicPart);
  expect([stored.salt.length, stored.tokenHash.length]).toEqual([16, 32]);
  expect(createToken().stored.salt).not.toEqual(stored.salt);
});

test("only the whole token matches what is stored of it", () => {
  const { token, stored } = createToken();
  expect(isTokenOf(token, stored)).toBe(true);
  const last = token.at(-1) === "x" ? "y" : "x";
  expect(isTokenOf(`${token.slice(0, -1)}${last}`, stored)).toBe(false);
  expect(isTokenOf(token, createToken().stored)).toBe(false);
  expect(isTokenOf(token, undefined)).toBe(false);
});

test("a token is read from exactly one header `Authorization: Bearer <token>`, and from nothing else", () => {
  const { token } = createToken();
  expect(readBearer([`Bearer ${token}`])).toBe(token);
  const refused = [
    [],
    [`Bearer ${token}`, `Bearer ${token}`],
    [`Bearer ${token}, Bearer ${token}`],
    [`bearer ${token}`],
    [`BEARER ${token}`],
    [`Basic ${token}`],
    [`Bearer  ${token}`],
    [`Bearer\t${token}`],
    [`Bearer ${token} `],
    [` Bearer ${token}`],
    [`Bearer ${token}\n`],
    [`Bearer "${token}"`],
    [`Bearer ${token},`],
    [`Bearer${token}`],
    [token],
    ["Bearer "],
    ["Bearer"],
    [""],
    [`Bearer ${token.slice(0, -1)}`],
    [`Bearer ${token}x`],
    [`Bearer ${token.replace("bat_", "bfk_")}`],
    [`Bearer ${token.replaceAll("_", "-")}`],
  ];
  for (const headers of refused) expect(readBearer(headers), JSON.stringify(headers)).toBeNull();
});
