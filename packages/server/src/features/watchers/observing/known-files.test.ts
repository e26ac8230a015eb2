import { fc } from "@belfry/test-kit/properties";
import { describe, expect, test } from "vitest";
import { KnownFiles, wordsPerFile } from "./known-files.ts";

type File = readonly [high: number, low: number, one: number, two: number];

const wordsOf = (files: readonly File[]): Uint32Array => Uint32Array.from(files.flat());
const word = fc.constantFrom(0, 1, 2, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff);
/** Few names and few states, so that they meet. */
const files = fc.array(fc.tuple(word, fc.constantFrom(0, 1, 0xffff_ffff), word, fc.constantFrom(0, 5)), {
  maxLength: 30,
});
const nameOf = ([high, low]: File): string => `${high}/${low}`;
const stateOf = ([, , one, two]: File): string => `${one}/${two}`;

/** The same with a Map, and one word less cleverness. */
class Model {
  readonly map = new Map<string, File>();
  set(some: readonly File[]): void {
    for (const file of some) this.map.set(nameOf(file), file);
  }
  forget(some: readonly File[]): void {
    for (const file of some) this.map.delete(nameOf(file));
  }
  retain(some: readonly File[]): readonly File[] {
    const names = new Set(some.map(nameOf));
    const gone = [...this.map.values()].filter((file) => !names.has(nameOf(file)));
    this.forget(gone);
    return gone;
  }
}

const listOf = (words: Uint32Array): readonly string[] =>
  Array.from({ length: words.length / wordsPerFile }, (_, index) =>
    words.subarray(index * wordsPerFile, (index + 1) * wordsPerFile).join(),
  );

test("any order of set, forget and retain agrees with a Map", () => {
  const action = fc.tuple(fc.constantFrom("set", "forget", "retain"), files);
  fc.assert(
    fc.property(fc.array(action, { maxLength: 12 }), files, (actions, asked) => {
      const known = new KnownFiles();
      const model = new Model();
      for (const [is, some] of actions) {
        if (is === "set") {
          known.set(wordsOf(some));
          model.set(some);
        } else if (is === "forget") {
          known.forget(wordsOf(some));
          model.forget(some);
        } else {
          const gone = known.retain(KnownFiles.of(wordsOf(some)));
          expect(listOf(gone).toSorted()).toEqual(model.retain(some).map(String).toSorted());
        }
        expect(listOf(known.words).toSorted()).toEqual([...model.map.values()].map(String).toSorted());
      }
      expect(known.count).toBe(model.map.size);
      for (const file of asked) {
        const found = model.map.get(nameOf(file));
        const expected = found === undefined ? "unknown" : stateOf(found) === stateOf(file) ? "same" : "other";
        expect(known.compare(wordsOf([file]), 0)).toBe(expected);
      }
    }),
  );
});

test("files in both in the same state are counted", () => {
  fc.assert(
    fc.property(files, files, (first, second) => {
      const [one, other] = [new Model(), new Model()];
      one.set(first);
      other.set(second);
      const same = [...one.map].filter(([name, file]) => String(other.map.get(name)) === String(file)).length;
      const known = KnownFiles.of(wordsOf(first));
      expect(known.countSame(KnownFiles.of(wordsOf(second)))).toBe(same);
    }),
  );
});

describe("the words of known files", () => {
  test("are sorted by name, and the last of two with the same name counts", () => {
    const known = KnownFiles.of(
      wordsOf([
        [2, 0, 1, 1],
        [1, 9, 1, 1],
        [2, 0, 7, 7],
      ]),
    );
    expect([...known.words]).toEqual([1, 9, 1, 1, 2, 0, 7, 7]);
  });

  test("take 16 bytes a file", () => {
    const many = Array.from({ length: 1_000 }, (_, index): File => [index, index, 0, 0]);
    expect(KnownFiles.of(wordsOf(many)).words.buffer.byteLength).toBe(16_000);
  });
});
