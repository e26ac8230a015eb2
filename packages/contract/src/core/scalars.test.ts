import { fc } from "@belfry/test-kit/properties";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { limits } from "./limits.ts";
import {
  Cursor,
  durationBetween,
  Limit,
  Name,
  orNull,
  QueryBoolean,
  queryInteger,
  ResourceId,
  Revision,
  Timestamp,
} from "./scalars.ts";

function messageOf(schema: z.ZodType, value: unknown): string | undefined {
  return schema.safeParse(value).error?.issues[0]?.message;
}

describe("a name", () => {
  test("is kept without the space around it", () => {
    expect(Name.parse("  Nightly backup\n")).toBe("Nightly backup");
  });

  test.each(["", "   ", "\n\t", "\u00a0\ufeff"])("must not be blank: %j is refused", (name) => {
    expect(messageOf(Name, name)).toBe("must not be empty");
  });

  test.each(["a\nb", "a\0", "\u007fa", "a\u0085b", "\u009f"])(
    "must not contain a control character: %j is refused",
    (name) => {
      expect(messageOf(Name, name)).toBe("must not contain control characters");
    },
  );

  test.each([
    ["a trigger key", "bfk_9sLq2XvT", "kV7nRw4Z".repeat(4)],
    ["an access token", "bat_9sLq2XvT", `${"kV7nRw4Z".repeat(5)}abc`],
  ])("must not contain %s, and the refusal does not repeat it", (_, publicPart, secretPart) => {
    const key = `${publicPart}_${secretPart}`;
    for (const name of [key, ` ${key} `, `Deploy with ${key}`, `${key}x`]) {
      expect(messageOf(Name, name)).toMatch(
        /^must not contain a trigger key or an access token, .* rotate the key or replace the token$/,
      );
      expect(JSON.stringify(Name.safeParse(name).error)).not.toContain("kV7nRw4Z");
    }
    for (const name of [publicPart, `${publicPart}_`, key.slice(0, -1), key.replace("_", "-")])
      expect(Name.parse(name)).toBe(name);
  });

  test("has at most 200 characters, however many bytes a character has", () => {
    for (const character of ["a", "é", "\u{1f514}"]) {
      expect(Name.safeParse(` ${character.repeat(200)} `).success).toBe(true);
      expect(messageOf(Name, character.repeat(201))).toBe("must have at most 200 characters");
    }
  });

  test("is any text of 1 to 200 characters without control characters", () => {
    const fits = (text: string) =>
      [...text.trim()].length >= 1 && [...text.trim()].length <= 200 && !/\p{Cc}/u.test(text.trim());
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 205, size: "max" }), (text) => {
        expect(Name.safeParse(text).success).toBe(fits(text));
      }),
    );
  });

  test("the document describes a name before it is trimmed: the pattern accepts exactly what the schema accepts", () => {
    const { pattern: taken, not } = Name.meta() as { pattern: string; not: { pattern: string } };
    const [pattern, notPattern] = [new RegExp(taken, "u"), new RegExp(not.pattern, "u")];
    const parts = fc.constantFrom(
      `bfk_9sLq2XvT_${"k".repeat(32)}`,
      " ",
      "\n",
      "a",
      "b c",
      "é",
      "\0",
      "\u{1f514}",
      "x".repeat(199),
      "\ufeff",
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 5 }), (some) => {
        const text = some.join("");
        expect(pattern.test(text) && !notPattern.test(text)).toBe(Name.safeParse(text).success);
      }),
      { numRuns: 1_000 },
    );
  });

  test("is refused quickly, however long it is", () => {
    const pattern = new RegExp(String(Name.meta()?.["pattern"]), "u");
    expect(pattern.test(`a${" ".repeat(1_000_000)}\0`)).toBe(false);
    expect(pattern.test("a ".repeat(500_000))).toBe(false);
  });
});

describe("a timestamp", () => {
  test.each([
    "2026-11-21T01:18:00.123Z",
    "2026-11-21T01:18:00Z",
    "2026-11-21T01:18:00+05:30",
    "2024-02-29T00:00:00-11:00",
  ])("may be %s", (text) => {
    expect(Timestamp.parse(text)).toBe(text);
  });

  test.each([
    "2026-11-21",
    "2026-11-21T01:18:00",
    "2026-11-21 01:18:00Z",
    "2026-02-29T00:00:00Z",
    "2026-11-21T25:00:00Z",
    "now",
    "",
  ])("must not be %j, and the message has an example", (text) => {
    expect(messageOf(Timestamp, text)).toContain("2026-11-21T01:18:00Z");
  });
});

describe("a timestamp must be in the years 1970 to 9999 after its offset is applied", () => {
  test.each([
    "1970-01-01T00:00:00Z",
    "1970-01-01T12:00:00+12:00",
    "1969-12-31T12:00:00-12:00",
    "9999-12-31T23:59:59.999Z",
    "9999-12-31T11:59:59-12:00",
  ])("%s is accepted", (text) => {
    expect(Timestamp.parse(text)).toBe(text);
  });

  test.each([
    "1969-12-31T23:59:59.999Z",
    "1970-01-01T00:00:00+12:00",
    "9999-12-31T23:59:59-12:00",
    "0000-01-01T00:00:00Z",
  ])("%s is refused", (text) => {
    expect(messageOf(Timestamp, text)).toBe("must be in the years 1970 to 9999");
  });
});

describe("a duration between bounds", () => {
  const grace = durationBetween(0, 3_600_000);

  test.each(["0s", "1h", "60m", "3600000ms", "0.5h"])("may be %s", (text) => {
    expect(grace.safeParse(text).success).toBe(true);
  });

  test.each(["3600001ms", "2h", "1d", "999999999999999d"])(
    "must not be %s, and the message names the bounds",
    (text) => {
      expect(messageOf(grace, text)).toBe("must be between 0s and 1h");
    },
  );

  test("the document contains its limits", () => {
    expect(grace.meta()).toMatchObject({ "x-minimum": "0s", "x-maximum": "1h" });
    expect(durationBetween(1_000).meta()).toMatchObject({ "x-minimum": "1s", "x-maximum": "36525d" });
  });
});

describe("an identifier", () => {
  test.each(["tsk_4fzH1TqWb8YkV0c2LxNd", "run_00000000000000000000"])("may be %s", (id) => {
    expect(ResourceId.safeParse(id).success).toBe(true);
  });

  test.each([
    "",
    "tsk_",
    "tsk_short",
    "TSK_4fzH1TqWb8YkV0c2LxNd",
    "tsk_4fzH1TqWb8YkV0c2LxNd\n",
    "tsk_4fzH1TqWb8YkV0c2Lx-d",
  ])("must not be %j", (id) => {
    expect(ResourceId.safeParse(id).success).toBe(false);
  });
});

describe("a query parameter", () => {
  test("is a whole number only if it is written in plain digits and within its bounds", () => {
    const share = queryInteger(5, 50);
    fc.assert(
      fc.property(fc.integer({ min: -10, max: 100 }), (value) => {
        expect(share.safeParse(String(value)).success).toBe(value >= 5 && value <= 50);
      }),
    );
    expect(share.parse("007")).toBe(7);
    for (const text of ["", " 7", "7 ", "+7", "7.0", "7e0", "0x7", "٧", "NaN"]) {
      expect(messageOf(share, text)).toBe("must be a whole number from 5 to 50");
    }
  });

  test("for a limit is 1 to 1,000", () => {
    expect(["0", "1", "1000", "1001"].map((text) => Limit.safeParse(text).success)).toEqual([false, true, true, false]);
  });

  test("for a boolean is exactly true or false", () => {
    expect([QueryBoolean.parse("true"), QueryBoolean.parse("false")]).toEqual([true, false]);
    for (const text of ["", "1", "yes", "TRUE", "on"]) expect(QueryBoolean.safeParse(text).success, text).toBe(false);
  });

  test("for a cursor is neither empty nor too long", () => {
    expect(Cursor.safeParse("").success).toBe(false);
    expect(Cursor.safeParse("c".repeat(limits.cursorCharactersMax)).success).toBe(true);
    expect(Cursor.safeParse("c".repeat(limits.cursorCharactersMax + 1)).success).toBe(false);
  });
});

test("a revision is a whole number from 1", () => {
  expect([0, 1, 1.5, -1, 2 ** 53].map((value) => Revision.safeParse(value).success)).toEqual([
    false,
    true,
    false,
    false,
    false,
  ]);
});

test("a nullable schema keeps its name in the document", () => {
  const json = z.toJSONSchema(z.object({ name: orNull(Name) }));
  expect(json.properties?.["name"]).toEqual({ anyOf: [{ $ref: "#/$defs/Name" }, { type: "null" }] });
});
