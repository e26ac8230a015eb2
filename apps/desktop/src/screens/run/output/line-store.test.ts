import type { OutputItem } from "@belfry/client";
import { expect, test } from "vitest";
import { LineStore } from "./line-store.ts";

type Stream = "stdout" | "stderr";
const encoder = new TextEncoder();
const piece = (text: string | Uint8Array, stream: Stream = "stdout", time = "T"): OutputItem => ({
  kind: "output",
  stream,
  offset: 0,
  bytes: typeof text === "string" ? encoder.encode(text) : text,
  time,
});
const cut = (bytes: number, stream: Stream = "stdout"): OutputItem => ({ kind: "cut", stream, from: 0, bytes });
const end: OutputItem = { kind: "end", state: "succeeded" };

function storeOf(...items: readonly OutputItem[]): LineStore {
  const store = new LineStore();
  for (const item of items) store.add(item);
  return store;
}

const shown = (store: LineStore): readonly string[] =>
  store.rows.map((row) =>
    row.is === "gap"
      ? `gap ${row.bytes} ${row.stream}`
      : `${row.number} ${row.stream} ${row.text}${row.isOpen ? "…" : ""}`,
  );

test("lines of both streams keep the order in which they began, and an unfinished one is shown", () => {
  const store = storeOf(piece("one\nhal"), piece("problem\n", "stderr"), piece("f a line"));
  expect(shown(store)).toEqual(["1 stdout one", "2 stdout half a line…", "3 stderr problem"]);
  store.add(piece(" ended\nnext\n"));
  expect(shown(store)).toEqual(["1 stdout one", "2 stdout half a line ended", "3 stderr problem", "4 stdout next"]);
  expect(store.lineCount).toBe(4);
});

test("a character that is split between pieces is whole", () => {
  const bytes = encoder.encode("Grüße 🔔\n");
  for (let at = 0; at <= bytes.length; at += 1)
    expect(shown(storeOf(piece(bytes.subarray(0, at)), piece(bytes.subarray(at)), end))).toEqual(["1 stdout Grüße 🔔"]);
});

test("empty lines count, and no line follows the last end", () => {
  expect(shown(storeOf(piece("\n\nthree\n"), end))).toEqual(["1 stdout ", "2 stdout ", "3 stdout three"]);
  expect(storeOf(end).isEmpty).toBe(true);
});

test("a line that returns to its start shows what was written last", () => {
  const store = storeOf(piece("10%\r20%"), piece("\r"), piece("100%\r\nnext\r\n"));
  expect(shown(store)).toEqual(["1 stdout 100%", "2 stdout next"]);
});

test("bytes that were not kept end the line before them, and are one gap", () => {
  const store = storeOf(piece("be"), cut(7), cut(3), piece("after\n"), cut(5, "stderr"));
  expect(shown(store)).toEqual(["1 stdout be", "gap 10 stdout", "2 stdout after", "gap 5 stderr"]);
  expect(store.placeOf(2)).toBe(2);
});

test("a colour goes on in the next line of its stream only", () => {
  const store = storeOf(piece("\x1b[31mred\n"), piece("plain\n", "stderr"), piece("still\n"));
  expect(store.rows.map((row) => row.is === "line" && row.style)).toEqual([{}, {}, { colour: "red" }]);
});

test("a line without an end goes on in the next ones", () => {
  const store = storeOf(piece(`${"x".repeat(150_000)}\n`));
  expect(store.rows.map((row) => row.is === "line" && row.text.length)).toEqual([65_536, 65_536, 18_928]);
});

test("the oldest lines give way, and the others keep their numbers", () => {
  const store = new LineStore({ rows: 100, characters: 1_000_000 });
  for (let number = 1; number <= 1_000; number += 1) store.add(piece(`line ${number}\n`));
  expect(store.rows.length).toBeLessThanOrEqual(100);
  expect(store.rows.length + store.dropped).toBe(1_000);
  expect(store.rows.at(-1)).toMatchObject({ number: 1_000, text: "line 1000" });
  expect(store.placeOf(1)).toBeNull();
  expect(store.placeOf(1_001)).toBeNull();
  expect(store.rows[store.placeOf(995)!]).toMatchObject({ text: "line 995" });
});

test("few but long lines give way too, and an open one goes on", () => {
  const store = new LineStore({ rows: 100, characters: 1_000 });
  store.add(piece("begun", "stderr"));
  for (let number = 1; number <= 10; number += 1) store.add(piece(`${"x".repeat(400)}\n`));
  store.add(piece(" and ended\n", "stderr"));
  const texts = store.rows.map((row) => (row.is === "line" ? row.text : ""));
  expect(texts.join("").length).toBeLessThanOrEqual(1_000);
  expect(texts.at(-1)).toBe(" and ended");
});
