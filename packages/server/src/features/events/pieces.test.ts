import { expect, test } from "vitest";
import { createBacklog } from "./backlog.ts";
import { createPieces } from "./pieces.ts";

function openPieces() {
  const backlog = createBacklog();
  const pieces = createPieces(backlog, "e");
  return {
    ...pieces,
    start: backlog.end,
    tell: (...kinds: readonly string[]) => {
      for (const kind of kinds) backlog.add({ kind, frame: Buffer.from(kind) });
      return backlog.end;
    },
  };
}

const told = ({ frames }: { readonly frames: readonly object[] }) =>
  frames.map((frame) => ("shared" in frame && "id" in frame ? `${String(frame.id)} ${String(frame.shared)}` : "?"));

test("readers at one place who want the same and count alike are given the very same, numbered", () => {
  const { beginRound, readerOf, start, tell } = openPieces();
  const [one, two, another] = [readerOf(null), readerOf(null), readerOf(new Set(["b"]))];
  tell("a", "b", "b");
  beginRound();
  const piece = one(start, 1);
  expect(told(piece)).toEqual(["e-1 a", "e-2 b", "e-3 b"]);
  expect(two(start, 1)).toBe(piece);
  expect(told(two(start, 7))).toEqual(["e-7 a", "e-8 b", "e-9 b"]);
  expect(told(another(start, 1))).toEqual(["e-1 b", "e-2 b"]);
  expect(readerOf(new Set(["a", "b"]))(start, 1)).toEqual(piece);
});

test("a round ends where the events did when it began, for all of its readers", () => {
  const { beginRound, endRound, readerOf, start, tell } = openPieces();
  const read = readerOf(null);
  const end = tell("a");
  expect(beginRound()).toEqual(end);
  tell("b");
  expect([told(read(start, 1)), read(start, 1).next]).toEqual([["e-1 a"], end]);
  expect(read(end, 2)).toMatchObject({ frames: [], next: end });
  endRound();
  beginRound();
  expect([told(read(start, 1)), told(read(end, 2))]).toEqual([["e-1 a", "e-2 b"], ["e-2 b"]]);
});

test("a piece has an end, and the next one goes on behind it", () => {
  const { beginRound, readerOf, start, tell } = openPieces();
  const read = readerOf(null);
  const end = tell(...Array.from({ length: 700 }, (_, index) => String(index)));
  beginRound();
  const first = read(start, 1);
  const second = read(first.next, 1 + first.frames.length);
  expect([...told(first), ...told(second)]).toEqual(
    Array.from({ length: 700 }, (_, index) => `e-${index + 1} ${index}`),
  );
  expect([first.frames.length, second.next]).toEqual([512, end]);
});

test("more readers that count differently than are kept at once each get what is theirs", () => {
  const { beginRound, readerOf, start, tell } = openPieces();
  const read = readerOf(null);
  tell("a");
  beginRound();
  for (const number of [...Array(30).keys(), ...Array(30).keys()])
    expect(told(read(start, number))).toEqual([`e-${number} a`]);
});
