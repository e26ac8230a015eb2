import { tempDir } from "@belfry/test-kit";
import { fc } from "@belfry/test-kit/properties";
import { open, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { StreamOffsets } from "../../../runner/output/order-record.ts";
import type { StreamName } from "../../../runner/protocol/messages.ts";
import {
  PlantedOutput,
  type PlantedWrite,
  type PlantOptions,
  streamsOf,
} from "../../../../tests/support/planted-output.ts";
import { findStart, type OutputPlace, type OutputStart } from "./start-offsets.ts";

const both: readonly StreamName[] = ["stdout", "stderr"];
const everything: StreamOffsets = { stdout: 0, stderr: 0 };

function startOf(folder: string, wanted: Partial<OutputStart>, place: Partial<OutputPlace> = {}) {
  return findStart(
    { folders: [folder], streams: both, attempt: { endedAt: 1_000_000 }, ...place },
    { offsets: everything, tail: null, since: null, ...wanted },
  );
}

function plant(folder: string, options: PlantOptions, writes: readonly PlantedWrite[]): PlantedOutput {
  const planted = new PlantedOutput(folder, options);
  for (const write of writes) planted.add(write);
  return planted;
}

const anyText = fc
  .array(fc.constantFrom("a", "bc", "\n", "\n\n", "line\n", "é"), { minLength: 1, maxLength: 8 })
  .map((parts) => Buffer.from(parts.join("")));
const anyWrites = fc
  .array(fc.record({ stream: fc.constantFrom(...both), pause: fc.nat(3), bytes: anyText }), {
    minLength: 1,
    maxLength: 40,
  })
  .map((writes) => {
    let time = 0;
    return writes.map(({ stream, pause, bytes }) => ({ stream, bytes, time: (time += pause) }));
  });
const anySizes = fc.record({ openingMax: fc.constantFrom(0, 150, 100_000), pieceMax: fc.integer({ min: 1, max: 90 }) });

/** Where the last lines begin, found by splitting everything into lines in the order in which they end. */
function lastLines(
  writes: readonly PlantedWrite[],
  wanted: { readonly streams: readonly StreamName[]; readonly lines: number },
): StreamOffsets {
  const ends: Record<StreamName, number> = { ...everything };
  const begins: Record<StreamName, number> = { ...everything };
  const found: { stream: StreamName; begin: number; order: number }[] = [];
  const lastOrder: Record<StreamName, number> = { ...everything };
  let order = 0;
  for (const { stream, bytes } of writes) {
    for (const byte of bytes) {
      ends[stream] += 1;
      lastOrder[stream] = order += 1;
      if (byte !== 10) continue;
      found.push({ stream, begin: begins[stream], order });
      begins[stream] = ends[stream];
    }
  }
  for (const stream of both)
    if (begins[stream] < ends[stream]) found.push({ stream, begin: begins[stream], order: lastOrder[stream] });
  const chosen = found.filter(({ stream }) => wanted.streams.includes(stream)).sort((a, b) => a.order - b.order);
  if (chosen.length < wanted.lines) return everything;
  const starts = { ...ends };
  for (const { stream, begin } of chosen.slice(chosen.length - wanted.lines))
    starts[stream] = Math.min(starts[stream], begin);
  return starts;
}

test("the last lines of any writes begin where the lines of all of them say, of one stream and of both together", async () => {
  await using dir = await tempDir();
  let count = 0;
  await fc.assert(
    fc.asyncProperty(anyWrites, anySizes, fc.nat(12), async (writes, sizes, lines) => {
      const folder = join(dir.path, `${count++}`);
      plant(folder, sizes, writes);
      expect(await startOf(folder, { tail: lines })).toEqual(lastLines(writes, { streams: both, lines }));
      for (const stream of both) {
        const found = await startOf(folder, { tail: lines }, { streams: [stream] });
        expect(found[stream]).toBe(lastLines(writes, { streams: [stream], lines })[stream]);
      }
    }),
    { numRuns: 300 },
  );
});

test("a time leaves out exactly what was read before it, and the later start of both counts", async () => {
  await using dir = await tempDir();
  let count = 0;
  await fc.assert(
    fc.asyncProperty(anyWrites, anySizes, fc.nat(60), async (writes, sizes, since) => {
      const folder = join(dir.path, `${count++}`);
      plant(folder, sizes, writes);
      const before = streamsOf(writes.filter(({ time }) => time < since));
      const expected = { stdout: before.stdout.length, stderr: before.stderr.length };
      expect(await startOf(folder, { since })).toEqual(expected);
      const tail = lastLines(writes, { streams: both, lines: 3 });
      expect(await startOf(folder, { since, tail: 3 })).toEqual({
        stdout: Math.max(expected.stdout, tail.stdout),
        stderr: Math.max(expected.stderr, tail.stderr),
      });
    }),
    { numRuns: 200 },
  );
});

test("output without times starts whole at a time before the end of its attempt, and not at all at a later one", async () => {
  await using dir = await tempDir();
  await writeFile(join(dir.path, "stdout"), "1\n2\n3\n");
  await writeFile(join(dir.path, "stderr"), "a\nb\nc");
  expect(await startOf(dir.path, { since: 1_000_000 })).toEqual(everything);
  expect(await startOf(dir.path, { since: 1_000_000 }, { attempt: { endedAt: null } })).toEqual(everything);
  expect((await startOf(dir.path, { since: 1_000_001 })).stdout).toBeGreaterThan(6);
  expect(await startOf(dir.path, { tail: 2 })).toEqual({ stdout: 2, stderr: 2 });
  expect(await startOf(dir.path, { tail: 0 })).toEqual({ stdout: 6, stderr: 5 });
  expect(await startOf(join(dir.path, "none"), { tail: 2, since: 5 })).toEqual(everything);
});

test("of 20 MiB with their order, the last lines are found with less than 256 KiB of reads", async () => {
  await using dir = await tempDir();
  const planted = new PlantedOutput(dir.path, { openingMax: 64 * 1024, pieceMax: 320 * 1024 });
  const line = Buffer.from(`${"x".repeat(1_023)}\n`);
  for (let at = 0; at < 20 * 1024; at++)
    planted.add({ stream: at % 3 === 0 ? "stderr" : "stdout", time: at, bytes: line });
  const { stdout, stderr } = planted.ends;
  // every read of a file goes through this method, whichever function opened it
  await using file = await open(join(dir.path, "index"));
  const reads = vi.spyOn(Object.getPrototypeOf(file) as { read: (...of: unknown[]) => unknown }, "read");
  expect(await startOf(dir.path, { tail: 10 })).toEqual({ stdout: stdout - 7 * 1024, stderr: stderr - 3 * 1024 });
  const bytes = reads.mock.calls.reduce((sum, [, , length]) => sum + Number(length), 0);
  reads.mockRestore();
  // `output` is read whole
  expect(bytes + 64 * 1024).toBeLessThan(256 * 1024);
  expect(bytes).toBeGreaterThan(0);
});

test("a line of more than 64 KiB begins in its middle, and a line that a cut interrupts begins before the cut", async () => {
  await using dir = await tempDir();
  const [long, cut] = [join(dir.path, "long"), join(dir.path, "cut")];
  const bytes = Buffer.from(`first\n${"x".repeat(200_000)}\n`);
  plant(long, { openingMax: 0, pieceMax: 1_000_000 }, [{ stream: "stdout", time: 1, bytes }]);
  expect((await startOf(long, { tail: 1 })).stdout).toBe(bytes.length - 64 * 1024);
  plant(cut, { openingMax: 0, pieceMax: 10 }, [
    { stream: "stdout", time: 1, bytes: Buffer.from(`1234\n${"y".repeat(40)}\nend\n`) },
  ]);
  await rm(join(cut, "stdout.10"));
  expect((await startOf(cut, { tail: 1 })).stdout).toBe(46);
  expect((await startOf(cut, { tail: 2 })).stdout).toBe(5);
});
