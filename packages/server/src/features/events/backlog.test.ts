import { expect, test } from "vitest";
import { type Backlog, createBacklog } from "./backlog.ts";

const all = { wants: () => true, hintsMax: 100, bytesMax: 1_000 };

function fill(...kinds: readonly string[]): Backlog {
  const backlog = createBacklog();
  for (const kind of kinds) backlog.add({ kind, frame: Buffer.from(kind) });
  return backlog;
}

const textOf = ({ frames }: { readonly frames: readonly Uint8Array[] }) => frames.map(String);

test("each reader reads from its own place, all that came since, in order", () => {
  const backlog = createBacklog();
  const start = backlog.end;
  backlog.add({ kind: "a", frame: Buffer.from("a") });
  const later = backlog.end;
  backlog.add({ kind: "b", frame: Buffer.from("b") });
  expect(textOf(backlog.read(start, all))).toEqual(["a", "b"]);
  expect(textOf(backlog.read(later, all))).toEqual(["b"]);
  expect(backlog.read(backlog.end, all)).toEqual({ frames: [], next: backlog.end });
});

test("what is not wanted is passed over, and not read again", () => {
  const backlog = fill("a", "b", "a", "b");
  const read = backlog.read({ hint: 0, byte: 0 }, { ...all, wants: (kind) => kind === "b" });
  expect([textOf(read), read.next]).toEqual([["b", "b"], backlog.end]);
});

test("a piece ends where it is full, and the next goes on there; one hint is handed over whatever its length", () => {
  const backlog = fill("aa", "bb", "cc", "dddddd", "e");
  const pieces: string[][] = [];
  for (let at = { hint: 0, byte: 0 }; at.hint < backlog.end.hint;) {
    const { frames, next } = backlog.read(at, { ...all, hintsMax: 2, bytesMax: 5 });
    pieces.push(frames.map(String));
    at = next;
  }
  expect(pieces).toEqual([["aa", "bb"], ["cc"], ["dddddd"], ["e"]]);
});

test("what is forgotten is let go, and all places keep their meaning", () => {
  const backlog = fill("aa", "bb", "cc");
  const { next } = backlog.read({ hint: 0, byte: 0 }, { ...all, hintsMax: 2 });
  backlog.forget(next);
  backlog.forget({ hint: 1, byte: 2 });
  expect(backlog.size).toEqual({ hint: 1, byte: 2 });
  expect(textOf(backlog.read(next, all))).toEqual(["cc"]);
  backlog.forget(backlog.end);
  expect(backlog.size).toEqual({ hint: 0, byte: 0 });
});
