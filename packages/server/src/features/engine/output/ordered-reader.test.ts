import { tempDir } from "@belfry/test-kit";
import { fc } from "@belfry/test-kit/properties";
import { mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { decodeRecord, indexName, type OrderRecord, recordBytes } from "../../../runner/output/order-record.ts";
import type { StreamName } from "../../../runner/protocol/messages.ts";
import { indexOf, PlantedOutput, type PlantedWrite, streamsOf } from "../../../../tests/support/planted-output.ts";
import { type KeptPiece, readKept } from "./kept-files.ts";
import { OrderedReader, type OrderedReaderOptions, type OutputPart } from "./ordered-reader.ts";
import { readStream } from "./read-stream.ts";

const both: readonly StreamName[] = ["stdout", "stderr"];
const start = { stdout: 0, stderr: 0 };

async function look(reader: OrderedReader, isLast = true): Promise<readonly OutputPart[]> {
  const parts: OutputPart[] = [];
  for await (const part of reader.look({ isLast })) parts.push(part);
  return parts;
}

const readAll = (folder: string, options: Partial<OrderedReaderOptions> = {}) =>
  look(new OrderedReader({ folders: [folder], streams: both, from: start, ...options }));

/** What a part says, with its bytes as text. */
function summaryOf(part: OutputPart): readonly unknown[] {
  if ("cut" in part) return [part.stream, "cut", part.cut.from, part.cut.bytes];
  return [
    part.stream,
    part.offset,
    Buffer.from(part.bytes).toString(),
    ...(part.time === undefined ? [] : [part.time]),
  ];
}

/** Each byte with its stream, offset and time. */
function bytesIn(parts: readonly OutputPart[]): readonly string[] {
  return parts.flatMap((part) => {
    if ("cut" in part) return [`${part.stream} cut ${part.cut.from} ${part.cut.bytes}`];
    return [...part.bytes].map((byte, at) => `${part.stream} ${part.offset + at} ${byte} ${part.time}`);
  });
}

function expectedBytes(writes: readonly PlantedWrite[]): readonly string[] {
  const ends: Record<StreamName, number> = { ...start };
  return writes.flatMap(({ stream, time, bytes }) =>
    [...bytes].map((byte) => `${stream} ${ends[stream]++} ${byte} ${time}`),
  );
}

const anyWrites = fc
  .array(
    fc.record({
      stream: fc.constantFrom(...both),
      pause: fc.nat(30),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    }),
    { maxLength: 60 },
  )
  .map((writes) => {
    let time = 1_000;
    return writes.map(({ stream, bytes, pause }) => ({ stream, bytes, time: (time += pause) }));
  });

const anySizes = fc.record({ openingMax: fc.constantFrom(0, 200, 1_000), pieceMax: fc.integer({ min: 1, max: 500 }) });

test("any writes are read in their order with their times, in any number of looks, from any pair of offsets", async () => {
  await using dir = await tempDir();
  let count = 0;
  await fc.assert(
    fc.asyncProperty(anyWrites, anySizes, fc.array(fc.boolean()), async (writes, sizes, pauses) => {
      const folder = join(dir.path, `${count++}`);
      const planted = new PlantedOutput(folder, sizes);
      const reader = new OrderedReader({ folders: [folder], streams: both, from: start });
      const parts: OutputPart[] = [];
      const pairs: [Record<StreamName, number>, number][] = [];
      for (const [at, write] of writes.entries()) {
        pairs.push([{ ...planted.ends }, at]);
        planted.add(write);
        if (pauses[at] === true) parts.push(...(await look(reader, false)));
      }
      parts.push(...(await look(reader)));
      const expected = expectedBytes(writes);
      expect(bytesIn(parts)).toEqual(expected);
      for (const [from, at] of pairs.slice(0, 5))
        expect(bytesIn(await readAll(folder, { from }))).toEqual(
          expected.slice(writes.slice(0, at).reduce((sum, { bytes }) => sum + bytes.length, 0)),
        );
      for (const stream of both) {
        const wanted = expected.filter((each) => each.startsWith(stream));
        expect(bytesIn(await readAll(folder, { streams: [stream] }))).toEqual(wanted);
        const raw: KeptPiece[] = [];
        for await (const piece of readStream([folder], stream, 0)) raw.push(piece);
        const bytes = Buffer.concat(raw.map((piece) => ("bytes" in piece ? piece.bytes : expect.unreachable())));
        expect(bytes.equals(streamsOf(writes)[stream])).toBe(true);
      }
    }),
    { numRuns: 150 },
  );
});

test("where records were left out, the other stream comes first, and each byte is read exactly once", async () => {
  await using dir = await tempDir();
  const planted = new PlantedOutput(dir.path, {
    openingMax: 0,
    pieceMax: 100,
    leavesOut: (at) => at === 1 || at === 2,
  });
  for (const [at, text] of ["one", "two", "three", "four"].entries())
    planted.add({ stream: at % 2 === 0 ? "stdout" : "stderr", time: at, bytes: Buffer.from(text) });
  expect((await readAll(dir.path)).map(summaryOf)).toEqual([
    ["stdout", 0, "one", 0],
    ["stdout", 3, "three", 3],
    ["stderr", 0, "twofour", 3],
  ]);
});

test("a follower over compactions reads every byte exactly once, and in order", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, indexName);
  const planted = new PlantedOutput(dir.path, { openingMax: 100, pieceMax: 1_000 });
  const reader = new OrderedReader({ folders: [dir.path], streams: both, from: start });
  const [writes, parts]: [PlantedWrite[], OutputPart[]] = [[], []];
  for (let at = 0; at < 400; at++) {
    const write = { stream: at % 3 === 0 ? "stderr" : "stdout", time: at, bytes: Buffer.from(`${at}\n`) } as const;
    writes.push(write);
    planted.add(write);
    // while the last write is not read yet, and only records that were read are left out
    if (at % 50 === 49)
      await replaceIndex(path, (records) =>
        records.filter((_, number) => number % 2 === 1 || number > records.length - 8),
      );
    if (at % 7 === 0) parts.push(...(await look(reader, false)));
  }
  parts.push(...(await look(reader)));
  expect(bytesIn(parts)).toEqual(expectedBytes(writes));
});

async function replaceIndex(path: string, select: (records: readonly OrderRecord[]) => readonly OrderRecord[]) {
  const bytes = await readFile(path);
  const records = Array.from({ length: bytes.length / recordBytes }, (_, at) => decodeRecord(bytes, at * recordBytes)!);
  await writeFile(`${path}.new`, indexOf(select(records)));
  await rename(`${path}.new`, path);
}

test("bytes wait for their record while the attempt lives, and are given without a time if none comes", async () => {
  await using dir = await tempDir();
  const planted = new PlantedOutput(dir.path, { openingMax: 40, pieceMax: 1_000 });
  planted.add({ stream: "stdout", time: 1, bytes: Buffer.from("first") });
  planted.add({ stream: "stderr", time: 2, bytes: Buffer.from("a record of its own") });
  planted.addWithoutRecord("stdout", 5, Buffer.from("late"));
  const reader = new OrderedReader({ folders: [dir.path], streams: both, from: start });
  expect((await look(reader, false)).map(summaryOf)).toEqual([
    ["stdout", 0, "first", 1],
    ["stderr", 0, "a record of its own", 2],
  ]);
  for (let at = 1; at < 20; at++) expect(await look(reader, false)).toEqual([]);
  expect((await look(reader, false)).map(summaryOf)).toEqual([["stdout", 5, "late"]]);
  planted.addWithoutRecord("stdout", 9, Buffer.from("later"));
  expect((await look(reader, false)).map(summaryOf)).toEqual([["stdout", 9, "later"]]);
  expect((await readAll(dir.path)).map(summaryOf).at(-1)).toEqual(["stdout", 5, "latelater"]);
});

test("a stream whose middle is gone has one cut in its place, and the order of the rest is kept", async () => {
  await using dir = await tempDir();
  const planted = new PlantedOutput(dir.path, { openingMax: 0, pieceMax: 10 });
  for (let at = 0; at < 9; at++) {
    planted.add({ stream: "stdout", time: at, bytes: Buffer.from(`out-${at}`) });
    if (at % 4 === 0) planted.add({ stream: "stderr", time: at, bytes: Buffer.from(`e${at}`) });
  }
  for (const name of ["stdout.10", "stdout.20"]) await rm(join(dir.path, name));
  const expected = [
    ["stdout", 0, "out-0", 0],
    ["stderr", 0, "e0", 0],
    ["stdout", 5, "out-1", 1],
    ["stdout", "cut", 10, 20],
    ["stderr", 2, "e4", 4],
    ["stdout", 30, "out-6", 6],
    ["stdout", 35, "out-7", 7],
    ["stdout", 40, "out-8", 8],
    ["stderr", 4, "e8", 8],
  ];
  expect((await readAll(dir.path)).map(summaryOf)).toEqual(expected);
  expect((await readAll(dir.path, { from: { stdout: 12, stderr: 2 } })).map(summaryOf)).toEqual([
    ["stdout", "cut", 12, 18],
    ...expected.slice(4),
  ]);
});

test("output that moves between two looks, and in the middle of one, is read on in its new folder", async () => {
  await using dir = await tempDir();
  const folders = [join(dir.path, "live"), join(dir.path, "kept")] as const;
  const planted = new PlantedOutput(folders[0], { openingMax: 60, pieceMax: 40 });
  const writes = Array.from({ length: 30 }, (_, at): PlantedWrite => {
    return { stream: at % 2 === 0 ? "stdout" : "stderr", time: at, bytes: Buffer.from(`line ${at}\n`) };
  });
  for (const write of writes) planted.add(write);
  const reader = new OrderedReader({ folders, streams: both, from: start });
  const parts: OutputPart[] = [];
  for await (const part of reader.look({ isLast: false })) {
    if (parts.push(part) === 10) await rename(...folders);
  }
  parts.push(...(await look(reader)));
  expect(bytesIn(parts)).toEqual(expectedBytes(writes));
});

test("damage to the index loses order and times, and never a byte; a damaged `output` becomes a cut", async () => {
  await using dir = await tempDir();
  const planted = new PlantedOutput(dir.path, { openingMax: 60, pieceMax: 1_000 });
  const writes = Array.from({ length: 8 }, (_, at): PlantedWrite => {
    return { stream: at % 2 === 0 ? "stdout" : "stderr", time: at, bytes: Buffer.from(`${at}`.repeat(5)) };
  });
  for (const write of writes) planted.add(write);
  await damage(join(dir.path, indexName), 2 * recordBytes + 8);
  expect((await readAll(dir.path)).map(summaryOf)).toEqual([
    ["stdout", 0, "00000", 0],
    ["stderr", 0, "11111", 1],
    ["stdout", 5, "22222", 2],
    ["stderr", 5, "33333", 3],
    ["stdout", 10, "44444", 5],
    ["stderr", 10, "55555", 5],
    ["stdout", 15, "66666", 6],
    ["stderr", 15, "77777", 7],
  ]);
  await rm(join(dir.path, indexName));
  const unordered = await readAll(dir.path);
  for (const stream of both)
    expect(
      Buffer.concat(unordered.flatMap((part) => ("bytes" in part && part.stream === stream ? [part.bytes] : []))),
    ).toEqual(streamsOf(writes)[stream]);
  await damage(join(dir.path, "output"), 8);
  expect((await readAll(dir.path)).map(summaryOf).filter(([, kind]) => kind === "cut")).toEqual([
    ["stdout", "cut", 0, 5],
    ["stderr", "cut", 0, 5],
  ]);
});

async function damage(path: string, position: number): Promise<void> {
  await using file = await open(path, "r+");
  await file.write(Buffer.from([0xff, 0xff]), 0, 2, position);
}

test("output of former runners is read as before: no times, stdout before stderr, also while it is written", async () => {
  await using dir = await tempDir();
  await writeFile(join(dir.path, "stdout"), "12345");
  await writeFile(join(dir.path, "stdout.8"), "89");
  await writeFile(join(dir.path, "stderr"), "oops");
  const reader = new OrderedReader({ folders: [dir.path], streams: both, from: start });
  expect((await look(reader, false)).map(summaryOf)).toEqual([
    ["stdout", 0, "12345"],
    ["stdout", "cut", 5, 3],
    ["stdout", 8, "89"],
    ["stderr", 0, "oops"],
  ]);
  await writeFile(join(dir.path, "stderr"), "oops again");
  expect((await look(reader, false)).map(summaryOf)).toEqual([["stderr", 4, " again"]]);
  expect(await look(reader)).toEqual([]);
});

test("a former daemon shows the first bytes as a cut, and then the rest", async () => {
  await using dir = await tempDir();
  const planted = new PlantedOutput(dir.path, { openingMax: 60, pieceMax: 1_000 });
  planted.add({ stream: "stdout", time: 1, bytes: Buffer.from("first") });
  planted.add({ stream: "stdout", time: 2, bytes: Buffer.from("the rest of the output") });
  const pieces: KeptPiece[] = [];
  for await (const piece of readKept([dir.path], "stdout", 0)) pieces.push(piece);
  expect(pieces).toEqual([{ cut: { from: 0, bytes: 5 } }, { offset: 5, bytes: Buffer.from("the rest of the output") }]);
});

test("no output is read from a folder without any, or from none", async () => {
  await using dir = await tempDir();
  await mkdir(join(dir.path, "live"));
  await writeFile(join(dir.path, "live", "claim"), "claimed");
  expect(await readAll(join(dir.path, "live"))).toEqual([]);
  expect(await readAll(join(dir.path, "none"))).toEqual([]);
});
