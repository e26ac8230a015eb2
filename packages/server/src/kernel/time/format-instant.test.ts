import { fc } from "@belfry/test-kit/properties";
import { expect, test } from "vitest";
import { formatInstant, formatLocal, lastInstant } from "./time.ts";

test("an instant is written as the language itself writes it", () => {
  const instants = fc.array(
    fc.oneof(
      fc.integer({ min: 0, max: lastInstant }),
      // around the bounds of days
      fc
        .tuple(fc.integer({ min: 0, max: 80_000 }), fc.integer({ min: -2, max: 2 }))
        .map(([day, ms]) => Math.max(0, day * 86_400_000 + ms)),
    ),
  );
  fc.assert(
    fc.property(instants, (all) => {
      expect(all.map(formatInstant)).toEqual(all.map((at) => new Date(at).toISOString()));
    }),
  );
});

test("local times beyond the years of the API are written too", () => {
  for (const at of [-1, -86_400_001, lastInstant + 1, lastInstant + 3_600_000])
    expect(formatLocal(at)).toBe(new Date(at).toISOString().replace(/(\.000)?Z$/, ""));
});
