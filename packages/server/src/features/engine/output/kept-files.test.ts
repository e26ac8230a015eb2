import { limits } from "@belfry/contract";
import { tempDir } from "@belfry/test-kit";
import { fc } from "@belfry/test-kit/properties";
import { mkdir, readdir, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { KeptOutput } from "../../../runner/output/kept-output.ts";
import { claimFolder } from "../../../runner/places.ts";
import { countKept } from "./kept-counts.ts";
import { type KeptPiece, readKept } from "./kept-files.ts";

const bytesMax = 8_000;
const numbered = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, at) => (at * 7) % 251));

const onFailure = (error: unknown): never => expect.unreachable(String(error));
const keptIn = (folder: string): KeptOutput => new KeptOutput({ folder, stream: "stdout", bytesMax, onFailure });

async function readAll(folders: readonly string[], offset = 0): Promise<readonly KeptPiece[]> {
  const pieces: KeptPiece[] = [];
  for await (const piece of readKept(folders, "stdout", offset)) pieces.push(piece);
  return pieces;
}

/** The cuts, and the lengths of the bytes between them. Compares every byte with the written byte. */
function summarize(
  pieces: readonly KeptPiece[],
  written: Buffer,
): readonly (readonly [at: number, bytes: number, "cut"?])[] {
  const summary: [number, number, "cut"?][] = [];
  for (const piece of pieces) {
    if ("cut" in piece) {
      summary.push([piece.cut.from, piece.cut.bytes, "cut"]);
      continue;
    }
    const { offset, bytes } = piece;
    expect(written.subarray(offset, offset + bytes.length).equals(bytes)).toBe(true);
    const last = summary.at(-1);
    if (last !== undefined && last[2] === undefined && last[0] + last[1] === offset) last[1] += bytes.length;
    else summary.push([offset, bytes.length]);
  }
  return summary;
}

test("a stream is read as its head, its cut and its newest bytes, from any offset", async () => {
  await using dir = await tempDir();
  const written = numbered(20_600);
  const kept = keptIn(dir.path);
  await kept.add(written);
  await kept.close();
  const from = async (offset: number) => summarize(await readAll([dir.path], offset), written);
  expect(await from(0)).toEqual([
    [0, 4_000],
    [4_000, 12_750, "cut"],
    [16_750, 3_850],
  ]);
  expect(await from(3_999)).toEqual([
    [3_999, 1],
    [4_000, 12_750, "cut"],
    [16_750, 3_850],
  ]);
  expect(await from(4_000)).toEqual([
    [4_000, 12_750, "cut"],
    [16_750, 3_850],
  ]);
  expect(await from(9_000)).toEqual([
    [9_000, 7_750, "cut"],
    [16_750, 3_850],
  ]);
  expect(await from(18_700)).toEqual([[18_700, 1_900]]);
  expect(await from(20_600)).toEqual([]);
  expect(await from(99_999)).toEqual([]);
});

test("for any writes, kept bytes and disk usage stay within the bound, of which at most a 32nd is lost", async () => {
  const bounds = fc.integer({ min: limits.outputBytesMin, max: 8 * limits.outputBytesMin });
  const writes = fc.array(fc.oneof(fc.nat(40), fc.nat(1_500), fc.nat(20_000)), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(bounds, writes, async (bound, sizes) => {
      await using dir = await tempDir();
      const folder = claimFolder(dir.path, "a");
      await mkdir(folder, { recursive: true });
      const kept = new KeptOutput({ folder, stream: "stdout", bytesMax: bound, onFailure });
      const all = numbered(sizes.reduce((sum, size) => sum + size, 0));
      let written = 0;
      for (const size of sizes) {
        await kept.add(all.subarray(written, written + size));
        written += size;
        const onDisk = await bytesIn(folder);
        expect(onDisk).toBeLessThanOrEqual(bound);
        expect(onDisk).toBeGreaterThanOrEqual(Math.min(written, bound - Math.floor(bound / 32)));
        const { stdout } = await countKept(dir.path, "a");
        expect(stdout).toEqual({ written, cut: written - onDisk });
      }
      const { cut } = await kept.close();
      expect(cut).toBe(written - (await bytesIn(folder)));
      expectOneCut(await readAll([folder]), all, { bound, cut });
    }),
    { numRuns: 60 },
  );
});

async function bytesIn(folder: string): Promise<number> {
  const sizes = (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/**
 * Expects at least the first half of the bound and the newest bytes as written, with one cut for all bytes between
 * them.
 */
function expectOneCut(
  pieces: readonly KeptPiece[],
  written: Buffer,
  { bound, cut }: { readonly bound: number; readonly cut: number },
): void {
  const summary = summarize(pieces, written);
  if (cut === 0) return expect(summary).toEqual(written.length === 0 ? [] : [[0, written.length]]);
  const head = summary[0]![1];
  expect(head).toBeGreaterThanOrEqual(bound / 2);
  expect(summary).toEqual([
    [0, head],
    [head, cut, "cut"],
    [head + cut, written.length - head - cut],
  ]);
}

test("a reader that continues during the writes reads every byte exactly once", async () => {
  await using dir = await tempDir();
  const written = numbered(20_500);
  const kept = keptIn(dir.path);
  const pieces: KeptPiece[] = [];
  let offset = 0;
  for (let at = 0; at < written.length; at += 700) {
    await kept.add(written.subarray(at, at + 700));
    for (const piece of await readAll([dir.path], offset)) {
      pieces.push(piece);
      offset = "cut" in piece ? piece.cut.from + piece.cut.bytes : piece.offset + piece.bytes.length;
    }
  }
  await kept.close();
  expect(summarize(pieces, written)).toEqual([[0, 20_500]]);
});

test("a piece removed while it is being read is read to its end; a piece removed earlier becomes a cut", async () => {
  await using dir = await tempDir();
  const written = numbered(8_000);
  const kept = keptIn(dir.path);
  await kept.add(written);
  await kept.close();
  const pieces: KeptPiece[] = [];
  for await (const piece of readKept([dir.path], "stdout", 0)) {
    if (pieces.length === 0)
      for (const name of ["stdout", "stdout.4000", "stdout.4250"]) await rm(join(dir.path, name));
    pieces.push(piece);
  }
  expect(summarize(pieces, written)).toEqual([
    [0, 4_000],
    [4_000, 500, "cut"],
    [4_500, 3_500],
  ]);
});

test("output that is moved during a read is read on in its new folder", async () => {
  await using dir = await tempDir();
  const folders = [join(dir.path, "live"), join(dir.path, "kept")] as const;
  await mkdir(folders[0]);
  const written = numbered(8_000);
  const kept = keptIn(folders[0]);
  await kept.add(written);
  await kept.close();
  const pieces: KeptPiece[] = [];
  for await (const piece of readKept(folders, "stdout", 0)) {
    if (pieces.length === 0) await rename(...folders);
    pieces.push(piece);
  }
  expect(summarize(pieces, written)).toEqual([[0, 8_000]]);
});

test("output that is moved at any moment of a read is read completely", async () => {
  await using dir = await tempDir();
  for (let time = 0; time < 300; time++) {
    const folders = [join(dir.path, `live-${time}`), join(dir.path, `kept-${time}`)] as const;
    await mkdir(folders[0]);
    await writeFile(join(folders[0], "stdout"), "whole");
    const moved = rename(...folders);
    const [piece] = await readAll(folders);
    expect(piece, `time ${time}`).toMatchObject({ offset: 0, bytes: Buffer.from("whole") });
    await moved;
  }
});

test("chunks are bounded, and files of other names are not read", async () => {
  await using dir = await tempDir();
  const written = numbered(200_000);
  await writeFile(join(dir.path, "stdout"), written);
  for (const name of ["claim", "end", "stderr", "stdout.old"]) await writeFile(join(dir.path, name), "other");
  const pieces = await readAll([dir.path]);
  expect(summarize(pieces, written)).toEqual([[0, 200_000]]);
  expect(pieces.every((piece) => "bytes" in piece && piece.bytes.length <= 65_536)).toBe(true);
  await truncate(join(dir.path, "stdout"), 0);
  expect(await readAll([dir.path])).toEqual([]);
  expect(await readAll([join(dir.path, "none")])).toEqual([]);
  expect(await readdir(dir.path)).toHaveLength(5);
});
