import { tempDir } from "@belfry/test-kit";
import { mkdir, readdir, rename, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { KeptOutput } from "../../runner/kept-output.ts";
import { type KeptPiece, readKept } from "./kept-files.ts";

const bytesMax = 8_000;
const numbered = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, at) => (at * 7) % 251));

const keptIn = (folder: string): KeptOutput =>
  new KeptOutput({ folder, stream: "stdout", bytesMax, onFailure: (error) => expect.unreachable(String(error)) });

async function readAll(folders: readonly string[], offset = 0): Promise<readonly KeptPiece[]> {
  const pieces: KeptPiece[] = [];
  for await (const piece of readKept(folders, "stdout", offset)) pieces.push(piece);
  return pieces;
}

/** Cuts as they are, bytes as one length for what follows without a gap; every byte is compared with what was written. */
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

test("a stream is read as its head, its cut and its newest bytes, from any offset on", async () => {
  await using dir = await tempDir();
  const written = numbered(20_500);
  const kept = keptIn(dir.path);
  await kept.add(written);
  await kept.close();
  const from = async (offset: number) => summarize(await readAll([dir.path], offset), written);
  expect(await from(0)).toEqual([
    [0, 4_000],
    [4_000, 12_000, "cut"],
    [16_000, 4_500],
  ]);
  expect(await from(3_999)).toEqual([
    [3_999, 1],
    [4_000, 12_000, "cut"],
    [16_000, 4_500],
  ]);
  expect(await from(4_000)).toEqual([
    [4_000, 12_000, "cut"],
    [16_000, 4_500],
  ]);
  expect(await from(9_000)).toEqual([
    [9_000, 7_000, "cut"],
    [16_000, 4_500],
  ]);
  expect(await from(18_700)).toEqual([[18_700, 1_800]]);
  expect(await from(20_500)).toEqual([]);
  expect(await from(99_999)).toEqual([]);
});

test("a reader that comes back while it is written misses nothing and sees nothing twice", async () => {
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

test("a piece that is removed under its reader is read to its end, one that is removed before becomes a cut", async () => {
  await using dir = await tempDir();
  const written = numbered(9_000);
  const kept = keptIn(dir.path);
  await kept.add(written);
  await kept.close();
  const pieces: KeptPiece[] = [];
  for await (const piece of readKept([dir.path], "stdout", 0)) {
    if (pieces.length === 0)
      for (const name of ["stdout", "stdout.4000", "stdout.5000"]) await rm(join(dir.path, name));
    pieces.push(piece);
  }
  expect(summarize(pieces, written)).toEqual([
    [0, 4_000],
    [4_000, 2_000, "cut"],
    [6_000, 3_000],
  ]);
});

test("output that moves while it is read is read on where it has moved to", async () => {
  await using dir = await tempDir();
  const folders = [join(dir.path, "live"), join(dir.path, "kept")] as const;
  await mkdir(folders[0]);
  const written = numbered(9_000);
  const kept = keptIn(folders[0]);
  await kept.add(written);
  await kept.close();
  const pieces: KeptPiece[] = [];
  for await (const piece of readKept(folders, "stdout", 0)) {
    if (pieces.length === 0) await rename(...folders);
    pieces.push(piece);
  }
  expect(summarize(pieces, written)).toEqual([[0, 9_000]]);
});

test("output that moves at any moment of a look is read whole", async () => {
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

test("chunks are bounded, and what is no piece of the stream is not read", async () => {
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
