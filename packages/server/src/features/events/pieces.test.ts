import { expect, test } from "vitest";
import { createBacklog } from "./backlog.ts";
import { createPieces } from "./pieces.ts";

function openPieces() {
  const backlog = createBacklog();
  const pieces = createPieces(backlog, "e");
  return {
    ...pieces,
    start: backlog.end,
    publish: (...kinds: readonly string[]) => {
      for (const kind of kinds) backlog.add({ kind, frame: Buffer.from(kind) });
      return backlog.end;
    },
  };
}

const describeFrames = ({ frames }: { readonly frames: readonly object[] }) =>
  frames.map((frame) => ("shared" in frame && "id" in frame ? `${String(frame.id)} ${String(frame.shared)}` : "?"));

test("readers with the same place, kinds and number share one piece, with their numbers in it", () => {
  const { beginRound, readerOf, start, publish } = openPieces();
  const [one, two, another] = [readerOf(null), readerOf(null), readerOf(new Set(["b"]))];
  publish("a", "b", "b");
  beginRound();
  const piece = one(start, 1);
  expect(describeFrames(piece)).toEqual(["e-1 a", "e-2 b", "e-3 b"]);
  expect(two(start, 1)).toBe(piece);
  expect(describeFrames(two(start, 7))).toEqual(["e-7 a", "e-8 b", "e-9 b"]);
  expect(describeFrames(another(start, 1))).toEqual(["e-1 b", "e-2 b"]);
  expect(readerOf(new Set(["a", "b"]))(start, 1)).toEqual(piece);
});

test("a round ends at the last event before its beginning, for all of its readers", () => {
  const { beginRound, endRound, readerOf, start, publish } = openPieces();
  const read = readerOf(null);
  const end = publish("a");
  expect(beginRound()).toEqual(end);
  publish("b");
  expect([describeFrames(read(start, 1)), read(start, 1).next]).toEqual([["e-1 a"], end]);
  expect(read(end, 2)).toMatchObject({ frames: [], next: end });
  endRound();
  beginRound();
  expect([describeFrames(read(start, 1)), describeFrames(read(end, 2))]).toEqual([["e-1 a", "e-2 b"], ["e-2 b"]]);
});

test("a piece is bounded, and the next one continues after it", () => {
  const { beginRound, readerOf, start, publish } = openPieces();
  const read = readerOf(null);
  const end = publish(...Array.from({ length: 700 }, (_, index) => String(index)));
  beginRound();
  const first = read(start, 1);
  const second = read(first.next, 1 + first.frames.length);
  expect([...describeFrames(first), ...describeFrames(second)]).toEqual(
    Array.from({ length: 700 }, (_, index) => `e-${index + 1} ${index}`),
  );
  expect([first.frames.length, second.next]).toEqual([512, end]);
});

test("more readers with different numbers than the cache holds each get their own piece", () => {
  const { beginRound, readerOf, start, publish } = openPieces();
  const read = readerOf(null);
  publish("a");
  beginRound();
  for (const number of [...Array(30).keys(), ...Array(30).keys()])
    expect(describeFrames(read(start, number))).toEqual([`e-${number} a`]);
});
