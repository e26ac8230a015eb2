import { describe, expect, test } from "vitest";
import { z } from "zod";
import { listOf, patchOf } from "./list.ts";

describe("a patch", () => {
  const patch = patchOf({ name: z.string().optional(), note: z.string().nullable().optional() }).meta({
    id: "NotePatch",
  });

  test("contains only the members it changes, and null is a value", () => {
    expect(patch.parse({ note: null })).toEqual({ note: null });
  });

  test("must change something", () => {
    expect(patch.safeParse({}).error?.issues[0]?.message).toBe("must contain at least one member to change");
  });

  test("must not have an unknown member", () => {
    expect(patch.safeParse({ name: "a", nmae: "b" }).error?.issues[0]).toMatchObject({
      code: "unrecognized_keys",
      keys: ["nmae"],
    });
  });

  test("of any name must contain a member according to its JSON Schema", () => {
    expect(z.toJSONSchema(patch)).toMatchObject({
      $defs: { NotePatch: { minProperties: 1, additionalProperties: false } },
    });
  });
});

describe("a list", () => {
  const notes = listOf("notes", z.object({ id: z.string() }));

  test("has its items under their plural name, and the cursor of the next page or null", () => {
    expect(notes.parse({ notes: [{ id: "a" }], next_cursor: null })).toEqual({
      notes: [{ id: "a" }],
      next_cursor: null,
    });
    expect(notes.safeParse({ notes: [] }).success).toBe(false);
  });
});
