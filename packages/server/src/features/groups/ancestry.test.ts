import { limits } from "@belfry/contract";
import { expect, test } from "vitest";
import { ancestryOf, refusalOfPlace } from "./ancestry.ts";
import type { GroupRow } from "./table.ts";

/** Finds groups that have only an id and a parent. */
function tree(parents: Readonly<Record<string, string | null>>): (id: string) => GroupRow | undefined {
  return (id) => (id in parents ? ({ id, parentId: parents[id] } as GroupRow) : undefined);
}

test("the ancestry of a group is itself, then its parents, nearest first", () => {
  const find = tree({ a: null, b: "a", c: "b" });
  expect(ancestryOf("c", find).map(({ id }) => id)).toEqual(["c", "b", "a"]);
  expect(ancestryOf(null, find)).toEqual([]);
});

test("a call on a damaged tree fails instead of running for ever", () => {
  expect(() => ancestryOf("a", tree({ a: "b", b: "a" }))).toThrow(
    /broken invariant: groups above \w are nested deeper than allowed/,
  );
  expect(() => ancestryOf("a", tree({ a: "gone" }))).toThrow(
    "broken invariant: group gone is missing, but other rows refer to it",
  );
});

test("a group is refused a parent below itself or beyond the maximum depth", () => {
  const chain = Array.from({ length: limits.groupDepthMax - 1 }, (_, index) => ({ id: `g${index}` }) as GroupRow);
  expect(refusalOfPlace(null, chain, 1)).toBeNull();
  expect(refusalOfPlace(null, chain, 2)).toBe(
    "groups can be nested at most 16 levels deep: choose a parent at a higher level",
  );
  expect(refusalOfPlace("g3", chain, 1)).toBe("a group cannot contain itself: choose another parent");
  expect(refusalOfPlace("other", chain, 1)).toBeNull();
});
