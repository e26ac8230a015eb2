import { fc } from "@belfry/test-kit/properties";
import { expect, test } from "vitest";
import { createSoonestFirst } from "./soonest-first.ts";

test("items are returned by time, and items of the same time by id", () => {
  const item = fc.record({ at: fc.integer({ min: 0, max: 20 }), id: fc.integer({ min: 0, max: 1_000 }).map(String) });
  fc.assert(
    fc.property(fc.uniqueArray(item, { selector: ({ id }) => id }), (items) => {
      const heap = createSoonestFirst<{ readonly id: string }>();
      for (const { at, id } of items) heap.add(at, { id });
      const taken = items.map(() => heap.take()!).map((entry) => ({ at: entry.at, id: entry.item.id }));
      expect(taken).toEqual(items.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)));
      expect(heap.take()).toBeNull();
      expect(heap.soonestAt).toBeNull();
    }),
  );
});
