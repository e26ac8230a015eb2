import { fc } from "@belfry/test-kit/properties";
import { expect, test } from "vitest";
import { AppError } from "./errors.ts";
import { cutPage, readPage } from "./page.ts";

interface Row {
  readonly at: number;
  readonly id: string;
}

const newestFirst = (a: Row, b: Row): number => b.at - a.at || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);

/** What a store answers: rows behind the start of the page, newest first, one more than asked for. */
function pageOf(
  rows: readonly Row[],
  query: { readonly limit: number; readonly cursor?: string; readonly filter?: string },
) {
  const page = readPage("rows.list", query);
  const { after } = page;
  const found = rows.toSorted(newestFirst).filter((row) => after === null || newestFirst(after, row) < 0);
  return cutPage(found.slice(0, page.limit + 1), page, { operation: "rows.list", query, startOf: (row) => row });
}

test("the pages of a list meet every row once, in order, whatever their size, while newer rows come", () => {
  const rowsOf = fc.uniqueArray(
    fc.record({ at: fc.integer({ min: 0, max: 5 }), id: fc.stringMatching(/^[a-z]{3}_[0-9A-Za-z]{4}$/) }),
    { selector: ({ id }) => id },
  );
  fc.assert(
    fc.property(rowsOf, fc.integer({ min: 1, max: 5 }), (rows, limit) => {
      const seen: Row[] = [];
      const growing = [...rows];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page: { rows: readonly Row[]; nextCursor: string | null } = pageOf(growing, {
          limit,
          ...(cursor === undefined ? {} : { cursor }),
        });
        expect(page.rows.length).toBeLessThanOrEqual(limit);
        seen.push(...page.rows);
        cursor = page.nextCursor;
        growing.push({ at: 6 + growing.length, id: `new_${growing.length}` });
      }
      expect(seen).toEqual(rows.toSorted(newestFirst));
    }),
  );
});

test("a cursor is bound to its operation and filters, not to the size of the page", () => {
  const rows = [1, 2, 3].map((at) => ({ at, id: `row_${at}` }));
  const cursor = pageOf(rows, { limit: 1, filter: "a" }).nextCursor!;
  expect(pageOf(rows, { limit: 5, filter: "a", cursor }).rows).toHaveLength(2);
  const refused = new AppError(
    "validation_failed",
    "this cursor is of another list or other filters: begin again without it",
    { field: "cursor" },
  );
  expect(() => pageOf(rows, { limit: 1, cursor })).toThrow(refused);
  expect(() => pageOf(rows, { limit: 1, filter: "b", cursor })).toThrow(refused);
  expect(() => readPage("others.list", { filter: "a", cursor })).toThrow(refused);
});

test("no text but a cursor of ours is taken for one", () => {
  fc.assert(
    fc.property(fc.string(), (cursor) => {
      expect(() => readPage("rows.list", { cursor })).toThrow(AppError);
    }),
  );
});

test("a list without a limit gives 100, or all where it comes whole", () => {
  expect(readPage("rows.list", {})).toEqual({ limit: 100, after: null });
  expect(readPage("rows.list", {}, { whole: true }).limit).toBeGreaterThan(1_000_000);
  expect(readPage("rows.list", { limit: 7 }, { whole: true }).limit).toBe(7);
});
