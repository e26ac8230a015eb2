import type { Group } from "@belfry/client";
import { expect, test } from "vitest";
import { closedGroupsOf } from "./closed-groups.ts";

const group = (id: string, parent_id: string | null, enabled: boolean) => ({ id, parent_id, enabled }) as Group;
const groups = [
  group("web", null, false),
  group("shop", "web", true),
  group("carts", "shop", false),
  group("a", "b", false),
  group("b", "a", true),
];
const of = (groupId: string | undefined, task?: { group_id: string | null } | null) =>
  closedGroupsOf(groups, { groupId, task }).map(({ id }) => id);

test("an agenda of everything names every disabled group", () => {
  expect(of(undefined)).toEqual(["web", "carts", "a"]);
});

test("an agenda of a group or of a task names only the disabled groups that it is in", () => {
  expect(of("shop")).toEqual(["web"]);
  expect(of("carts")).toEqual(["web", "carts"]);
  expect(of("b")).toEqual(["a"]);
  expect(of(undefined, { group_id: "shop" })).toEqual(["web"]);
  expect(of(undefined, { group_id: null })).toEqual([]);
  expect(of(undefined, null)).toEqual([]);
  expect(of("carts", { group_id: "carts" })).toEqual(["web", "carts"]);
  expect(of("carts", { group_id: "shop" })).toEqual([]);
});
