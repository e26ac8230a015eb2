import { limits } from "@belfry/contract";
import { fc } from "@belfry/test-kit/properties";
import { expect, test } from "vitest";
import { parentsFirst } from "./parents-first.ts";

const group = (key: string, parent_key: string | null = null) => ({ key, parent_key });

test("each group comes after its parent, with its place in the file", () => {
  const ordered = parentsFirst([group("leaf", "middle"), group("middle", "top"), group("top"), group("other")]);
  expect(ordered.map(({ group: { key }, place }) => [key, place])).toEqual([
    ["top", "groups.2"],
    ["other", "groups.3"],
    ["middle", "groups.1"],
    ["leaf", "groups.0"],
  ]);
});

test("a group within itself is refused at its place, however long the cycle", () => {
  expect(() => parentsFirst([group("o"), group("a", "a")])).toThrow(
    expect.objectContaining({ field: "groups.1.parent_key" }),
  );
  expect(() => parentsFirst([group("a", "c"), group("b", "a"), group("c", "b")])).toThrow(
    expect.objectContaining({ field: "groups.0.parent_key" }),
  );
});

test("a file of the maximum depth is accepted, and a deeper file is refused fast, however deep", () => {
  const chain = (depth: number) =>
    Array.from({ length: depth }, (_, index) => group(`k${index}`, index === depth - 1 ? null : `k${index + 1}`));
  expect(parentsFirst(chain(limits.groupDepthMax))).toHaveLength(limits.groupDepthMax);
  for (const depth of [limits.groupDepthMax + 1, limits.importItemsMax]) {
    expect(() => parentsFirst(chain(depth))).toThrow(
      expect.objectContaining({
        field: "groups.0.parent_key",
        message: "groups can be nested at most 16 levels deep: choose a parent at a higher level",
      }),
    );
  }
});

test("a parent outside the file is accepted here, and is checked when the reference is resolved", () => {
  expect(parentsFirst([group("a", "elsewhere")])).toHaveLength(1);
});

test("any forest in any order keeps all groups, parents first", () => {
  const forest = fc.integer({ min: 0, max: 40 }).chain((size) =>
    fc
      .tuple(
        ...Array.from({ length: size }, (_, index) =>
          fc
            .option(
              fc.integer({
                min: Math.max(0, Math.floor((index - 1) / 3)),
                max: Math.max(0, Math.floor((index - 1) / 2)),
              }),
            )
            .map((parent) => group(`k${index}`, index === 0 || parent === null ? null : `k${parent}`)),
        ),
      )
      .chain((groups) => fc.shuffledSubarray(groups, { minLength: groups.length })),
  );
  fc.assert(
    fc.property(forest, (groups) => {
      const placed = new Set<string>();
      for (const { group: each, place } of parentsFirst(groups)) {
        expect(groups[Number(place.split(".")[1])]).toBe(each);
        if (each.parent_key !== null) expect(placed.has(each.parent_key)).toBe(true);
        placed.add(each.key);
      }
      expect(placed.size).toBe(groups.length);
    }),
  );
});
