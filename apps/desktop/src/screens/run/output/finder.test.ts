import { expect, test } from "vitest";
import { Finder, foundMax } from "./finder.ts";
import { LineStore } from "./line-store.ts";

const add = (store: LineStore, text: string): void =>
  store.add({ kind: "output", stream: "stdout", offset: 0, bytes: new TextEncoder().encode(text) });

test("every place is found, whatever its case and its colours", () => {
  const store = new LineStore();
  add(store, "Error: one\nfine\n\x1b[31mer\x1b[1mror\x1b[0m and error\n");
  expect(new Finder("ERROR").search(store)).toEqual([
    { line: 1, start: 0 },
    { line: 3, start: 0 },
    { line: 3, start: 10 },
  ]);
  expect(new Finder("").search(store)).toEqual([]);
});

test("a search goes on with new lines and with the rest of an open one", () => {
  const store = new LineStore();
  const finder = new Finder("ab");
  add(store, "ab\na");
  expect(finder.search(store)).toEqual([{ line: 1, start: 0 }]);
  add(store, "b");
  expect(finder.search(store)).toHaveLength(2);
  add(store, "ab\nab\n");
  expect(finder.search(store)).toEqual([
    { line: 1, start: 0 },
    { line: 2, start: 0 },
    { line: 2, start: 2 },
    { line: 3, start: 0 },
  ]);
});

test("places in lines that gave way are gone", () => {
  const store = new LineStore({ rows: 10, characters: 10_000 });
  const finder = new Finder("x");
  for (let round = 0; round < 50; round += 1) {
    add(store, "x\n");
    finder.search(store);
  }
  const found = finder.search(store);
  expect(found.length).toBe(store.rows.length);
  expect(found.at(-1)).toEqual({ line: 50, start: 0 });
});

test("a search ends with very many places", () => {
  const store = new LineStore();
  add(store, `${"x".repeat(foundMax + 5)}\n`);
  expect(new Finder("x").search(store)).toHaveLength(foundMax);
});
