import type { BigIntStats } from "node:fs";
import { expect, test } from "vitest";
import { DeviceFiles } from "./device-files.ts";
import { KnownFiles, wordsPerFile } from "./known-files.ts";
import { type EndedLook, Place, type PlaceParts } from "./place.ts";

/** Name, state, and when its inode changed. */
type File = readonly [name: number, state: number, ctimeNs?: bigint];

function setup(parts: Partial<PlaceParts> = {}) {
  const looks: EndedLook[] = [];
  const changedAt: number[] = [];
  const place = new Place({
    owner: {
      selects: () => true,
      onChange: (atMs) => void changedAt.push(atMs),
      onLooked: (_place, look) => looks.push(look),
      onFailure: () => {},
    },
    path: "/in",
    key: "in",
    parentKey: null,
    isRecursive: false,
    files: new DeviceFiles(),
    baselineUntilNs: null,
    returned: () => null,
    ...parts,
  });
  const see = (words: Uint32Array, at: number, of: { readonly ctimeNs: bigint; readonly isScanned: boolean }): void =>
    place.see(String(words[at]), words, { at, stats: of as unknown as BigIntStats, atMs: 5, isScanned: of.isScanned });
  return {
    place,
    looks,
    changedAt,
    /** A look at one name. */
    look: (file: File): void => see(wordsOf([file]), 0, { ctimeNs: file[2] ?? 0n, isScanned: false }),
    /** A complete look. */
    scan: (files: readonly File[], device = 1n): void => {
      place.beginLook();
      const words = wordsOf(files);
      for (const [index, file] of files.entries())
        see(words, index * wordsPerFile, { ctimeNs: file[2] ?? 0n, isScanned: true });
      const names = new Set(files.map(([name]) => String(name)));
      const present = KnownFiles.of(words);
      const directories = new Set<string>();
      place.endLook(words, { device, present, hasName: (name) => names.has(name), directories, depth: "all" });
    },
    candidates: () => [...place.candidates.keys()],
    known: () =>
      Array.from({ length: place.files.count }, (_, index) => place.files.current.words[index * wordsPerFile]),
  };
}

function wordsOf(files: readonly File[]): Uint32Array {
  return Uint32Array.from(files.flatMap(([name, state]) => [name, 0, state, 0]));
}

test("a file is a candidate once for each state, and none any more when it is as it was known", () => {
  const { place, look, candidates, changedAt } = setup({
    files: new DeviceFiles(null, KnownFiles.of(wordsOf([[1, 10]]))),
  });
  look([1, 10]);
  expect(candidates()).toEqual([]);
  look([1, 11]);
  look([1, 11]);
  expect(candidates()).toEqual(["1"]);
  expect(changedAt).toEqual([5]);
  place.candidates.get("1")!.isReady = true;
  look([1, 12]);
  expect(place.candidates.get("1")!.isReady).toBe(false);
  look([1, 10]);
  expect(candidates()).toEqual([]);
});

test("the first look takes files as known that are older than the definition", () => {
  const { scan, candidates, known, looks } = setup({ baselineUntilNs: 100n });
  const files: readonly File[] = [
    [1, 10, 99n],
    [2, 10, 100n],
    [3, 10, 50n],
  ];
  scan(files);
  expect(candidates()).toEqual(["2"]);
  expect(known()).toEqual([1, 3]);
  expect(looks[0]).toMatchObject({ baselineUntilNs: 100n, baseline: { length: 8 } });
  // later everything counts
  scan([...files, [4, 10, 1n]]);
  expect(candidates()).toEqual(["2", "4"]);
});

test("a name that is looked at before the first look does not make another file known", () => {
  const { look, scan, candidates, known } = setup({ baselineUntilNs: 100n });
  look([3, 10, 50n]);
  expect(candidates()).toEqual([]);
  scan([
    [2, 10, 100n],
    [3, 10, 50n],
  ]);
  expect(candidates()).toEqual(["2"]);
  expect(known()).toEqual([3]);
});

test("a look that was left halfway leaves nothing to the next one", () => {
  const { place, scan, known } = setup({ baselineUntilNs: 100n });
  const words = wordsOf([[7, 10]]);
  place.beginLook();
  place.see("7", words, { at: 0, stats: { ctimeNs: 1n } as BigIntStats, atMs: 5, isScanned: true });
  scan([[2, 10, 100n]]);
  expect(known()).toEqual([]);
});

test("files whose run never started are not taken as known", () => {
  const { scan, candidates, known } = setup({
    baselineUntilNs: 100n,
    returned: () => KnownFiles.of(wordsOf([[1, 0]])),
  });
  scan([
    [1, 10, 1n],
    [2, 10, 1n],
  ]);
  expect(candidates()).toEqual(["1"]);
  expect(known()).toEqual([2]);
});

test("a deleted file is forgotten, so that the same one is new when it comes back", () => {
  const { scan, candidates, looks } = setup({ files: new DeviceFiles(1n, KnownFiles.of(wordsOf([[1, 10]]))) });
  scan([]);
  expect(looks[0]?.forgotten).toHaveLength(4);
  scan([[1, 10]]);
  expect(candidates()).toEqual(["1"]);
});

test("files of another device are kept, and come back with it as they were", () => {
  const known = KnownFiles.of(
    wordsOf([
      [1, 10],
      [2, 10],
    ]),
  );
  const { scan, candidates, looks, place } = setup({ files: new DeviceFiles(1n, known) });
  // the empty directory under the mount
  scan([], 2n);
  expect(looks[0]).toMatchObject({ isOtherDevice: true, renumberedFrom: null, forgotten: { length: 0 } });
  scan(
    [
      [1, 10],
      [2, 11],
    ],
    1n,
  );
  expect(candidates()).toEqual(["2"]);
  expect(place.files.device).toBe(1n);
});

test("what is known below a mount comes back when the file system is unmounted again", () => {
  const { scan, candidates, place } = setup({ files: new DeviceFiles(2n, KnownFiles.of(wordsOf([[1, 10]]))) });
  scan([[5, 50]], 1n);
  expect(candidates()).toEqual(["5"]);
  place.files.set(wordsOf([[5, 50]]), place.files.device);
  place.dropCandidates();
  for (let times = 0; times < 3; times++) {
    scan([[1, 10]], 2n);
    scan([[5, 50]], 1n);
  }
  expect(candidates()).toEqual([]);
  // what is deleted there is forgotten there alone
  scan([], 1n);
  scan([[5, 50]], 1n);
  expect(candidates()).toEqual(["5"]);
  scan([[1, 10]], 2n);
  expect(candidates()).toEqual([]);
});

test("a device that has another number now is the same if one of its files is", () => {
  const known = KnownFiles.of(
    wordsOf([
      [1, 10],
      [2, 10],
    ]),
  );
  const { scan, looks, place } = setup({ files: new DeviceFiles(1n, known) });
  scan([[1, 10]], 9n);
  expect(looks[0]).toMatchObject({ isOtherDevice: true, renumberedFrom: 1n, forgotten: { length: 4 } });
  expect(place.files.device).toBe(9n);
});
