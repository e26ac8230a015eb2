import { fc } from "@belfry/test-kit/properties";
import { expect, test } from "vitest";
import { AppError } from "../errors/errors.ts";
import { type Page, readList } from "./page.ts";

interface Row {
  readonly at: number;
  readonly id: string;
}

const newestFirst = (a: Row, b: Row): number => b.at - a.at || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);

/** A store's result: the rows after the start of the page, newest first, and one more than requested. */
function pageOf(
  rows: readonly Row[],
  query: { readonly limit: number; readonly cursor?: string; readonly filter?: string },
  operation = "rows.list",
) {
  const find = ({ limit, after }: Page) =>
    rows
      .toSorted(newestFirst)
      .filter((row) => after === null || newestFirst(after, row) < 0)
      .slice(0, limit + 1);
  return readList({ operation, query, find, startOf: (row) => row });
}

/** The page that a list requests from its store for this query. */
function askedFor(query: { readonly limit?: number; readonly cursor?: string }, whole = false): Page {
  let asked: Page | undefined;
  const find = (page: Page) => {
    asked = page;
    return [];
  };
  readList<Row>({ operation: "rows.list", query, whole, find, startOf: (row) => row });
  return asked!;
}

test("the pages of a list contain every row once, in order, for any page size, while newer rows are added", () => {
  const rowsOf = fc.uniqueArray(
    fc.record({ at: fc.integer({ min: 0, max: 5 }), id: fc.stringMatching(/^[a-z]{3}_[0-9A-Za-z]{4}$/) }),
    { selector: ({ id }) => id },
  );
  fc.assert(
    fc.property(rowsOf, fc.integer({ min: 1, max: 5 }), (rows, limit) => {
      const seen: Row[] = [];
      const growing = [...rows];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page: { rows: readonly Row[]; next_cursor: string | null } = pageOf(growing, {
          limit,
          ...(cursor === undefined ? {} : { cursor }),
        });
        expect(page.rows.length).toBeLessThanOrEqual(limit);
        seen.push(...page.rows);
        cursor = page.next_cursor;
        growing.push({ at: 6 + growing.length, id: `new_${growing.length}` });
      }
      expect(seen).toEqual(rows.toSorted(newestFirst));
    }),
  );
});

test("a cursor is bound to its operation and filters, not to the size of the page", () => {
  const rows = [1, 2, 3].map((at) => ({ at, id: `row_${at}` }));
  const cursor = pageOf(rows, { limit: 1, filter: "a" }).next_cursor!;
  expect(pageOf(rows, { limit: 5, filter: "a", cursor }).rows).toHaveLength(2);
  const refused = new AppError(
    "validation_failed",
    "cursor is not valid for this list and these filters: start again without a cursor",
    { field: "cursor" },
  );
  expect(() => pageOf(rows, { limit: 1, cursor })).toThrow(refused);
  expect(() => pageOf(rows, { limit: 1, filter: "b", cursor })).toThrow(refused);
  expect(() => pageOf(rows, { limit: 1, filter: "a", cursor }, "others.list")).toThrow(refused);
});

test("only a cursor that the daemon issued is accepted", () => {
  fc.assert(
    fc.property(fc.string(), (cursor) => {
      expect(() => askedFor({ cursor })).toThrow(AppError);
    }),
  );
});

test("a list without a limit has 100 rows, or all rows if it has no pages", () => {
  expect(askedFor({})).toEqual({ limit: 100, after: null });
  expect(askedFor({}, true).limit).toBeGreaterThan(1_000_000);
  expect(askedFor({ limit: 7 }, true).limit).toBe(7);
});
