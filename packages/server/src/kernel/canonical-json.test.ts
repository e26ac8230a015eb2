import { seed } from "@belfry/test-kit";
import { fc } from "@belfry/test-kit/properties";
import { expect, test } from "vitest";
import { canonicalJson } from "./canonical-json.ts";

test("the example of RFC 8785 has the form that it states", () => {
  const text = String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`;
  expect(canonicalJson(JSON.parse(text))).toBe(
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
});

test("members are sorted by UTF-16 code units at every depth, and lists keep their order", () => {
  expect(canonicalJson({ "10": 1, "9": { b: [], a: {} }, "\ufb33": 2, "\u{1f600}": [2, 1], é: "" })).toBe(
    '{"10":1,"9":{"a":{},"b":[]},"é":"","\u{1f600}":[2,1],"\ufb33":2}',
  );
});

test("two values have the same text exactly if they are equal, whatever the order of their members", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(reversed(value))).toBe(text);
    }),
    { seed },
  );
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}
