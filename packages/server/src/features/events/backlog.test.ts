import { expect, test } from "vitest";
import { type Backlog, createBacklog, type Place } from "./backlog.ts";

const all = { wants: () => true, eventsMax: 100, bytesMax: 1_000 };
/** Reads from a place to the end of the backlog, unless `of` sets other limits. */
const read = (backlog: Backlog, from: Place, of: Partial<Parameters<Backlog["read"]>[1]> = {}) =>
  backlog.read(from, { ...all, until: backlog.end, ...of });

function fill(...kinds: readonly string[]): Backlog {
  const backlog = createBacklog();
  for (const kind of kinds) backlog.add({ kind, frame: Buffer.from(kind) });
  return backlog;
}

const textOf = ({ frames }: { readonly frames: readonly Uint8Array[] }) => frames.map(String);

test("each reader gets all events after its own place, in order", () => {
  const backlog = createBacklog();
  const start = backlog.end;
  backlog.add({ kind: "a", frame: Buffer.from("a") });
  const later = backlog.end;
  backlog.add({ kind: "b", frame: Buffer.from("b") });
  expect(textOf(read(backlog, start))).toEqual(["a", "b"]);
  expect(textOf(read(backlog, later))).toEqual(["b"]);
  expect(textOf(read(backlog, start, { until: later }))).toEqual(["a"]);
  expect(read(backlog, backlog.end)).toEqual({ frames: [], bytes: 0, next: backlog.end });
});

test("unwanted events are skipped, and not read again", () => {
  const backlog = fill("a", "b", "a", "b");
  const found = read(backlog, { event: 0, byte: 0 }, { wants: (kind) => kind === "b" });
  expect([textOf(found), found.bytes, found.next]).toEqual([["b", "b"], 2, backlog.end]);
});

test("a piece ends when it is full, and the next one continues there; a single event of any length fits", () => {
  const backlog = fill("aa", "bb", "cc", "dddddd", "e");
  const pieces: string[][] = [];
  for (let at = { event: 0, byte: 0 }; at.event < backlog.end.event;) {
    const { frames, next } = read(backlog, at, { eventsMax: 2, bytesMax: 5 });
    pieces.push(frames.map(String));
    at = next;
  }
  expect(pieces).toEqual([["aa", "bb"], ["cc"], ["dddddd"], ["e"]]);
});

test("forgotten events are freed, and every place stays valid", () => {
  const backlog = fill("aa", "bb", "cc");
  const { next } = read(backlog, { event: 0, byte: 0 }, { eventsMax: 2 });
  backlog.forget(next);
  backlog.forget({ event: 1, byte: 2 });
  expect(backlog.size).toEqual({ event: 1, byte: 2 });
  expect(textOf(read(backlog, next))).toEqual(["cc"]);
  backlog.forget(backlog.end);
  expect(backlog.size).toEqual({ event: 0, byte: 0 });
});
