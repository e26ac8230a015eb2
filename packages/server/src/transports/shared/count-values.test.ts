import { fc } from "@belfry/test-kit/properties";
import { expect, test } from "vitest";
import { countValues } from "./count-values.ts";

const count = (text: string, most = Infinity): number => countValues(Buffer.from(text), most);

test("every value and every member name counts, whatever its text contains", () => {
  expect(count("1")).toBe(1);
  expect(count('{"a":1,"b":[1,2]}')).toBe(7);
  expect(count('"[,,,:{{\\",,"')).toBe(1);
  expect(count('["a\\\\",1]')).toBe(3);
});

test("counting stops at the limit", () => {
  expect(count(`[${"[],".repeat(1_000)}[]]`, 100)).toBe(100);
});

test("the count is at least the number of parsed values, and at most one higher for each list or object", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const counted = count(JSON.stringify(value));
      const { values, containers } = measure(value);
      expect(counted).toBeGreaterThanOrEqual(values);
      expect(counted).toBeLessThanOrEqual(values + containers);
    }),
  );
});

function measure(value: unknown): { values: number; containers: number } {
  if (typeof value !== "object" || value === null) return { values: 1, containers: 0 };
  const below = Object.values(value).map(measure);
  const names = Array.isArray(value) ? 0 : below.length;
  return {
    values: 1 + names + below.reduce((sum, { values }) => sum + values, 0),
    containers: 1 + below.reduce((sum, { containers }) => sum + containers, 0),
  };
}
