import { limits } from "@belfry/contract";
import { ManualClock, tempDir } from "@belfry/test-kit";
import { fc } from "@belfry/test-kit/properties";
import { mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { OrderedOutput } from "../../../runner/output/ordered-output.ts";
import { indexBytesMax, indexName } from "../../../runner/output/order-record.ts";
import { claimFolder } from "../../../runner/places.ts";
import { type StreamName, streamNames } from "../../../runner/protocol/messages.ts";
import { countKept } from "./kept-counts.ts";
import { OrderedReader, type OutputPart } from "./ordered-reader.ts";

const failTest = (file: string, error: unknown): never => expect.unreachable(`${file}: ${String(error)}`);

async function readAll(folder: string): Promise<readonly OutputPart[]> {
  const parts: OutputPart[] = [];
  const from = { stdout: 0, stderr: 0 };
  const reader = new OrderedReader({ folders: [folder], streams: streamNames, from });
  for await (const part of reader.look({ isLast: true })) parts.push(part);
  return parts;
}

/** What a test wrote: the bytes of each stream, and the number of the write that each byte came in. */
class Written {
  readonly bytes: Record<StreamName, number[]> = { stdout: [], stderr: [] };
  readonly writes: Record<StreamName, number[]> = { stdout: [], stderr: [] };
  #count = 0;

  next(stream: StreamName, length: number): Buffer {
    const chunk = Buffer.from(Array.from({ length }, (_, at) => (this.bytes[stream].length + at * 7) % 251));
    for (const byte of chunk) {
      this.bytes[stream].push(byte);
      this.writes[stream].push(this.#count);
    }
    this.#count += 1;
    return chunk;
  }
}

/** Expects every byte as written. Returns the numbers of their writes, in the order in which the bytes were read. */
function orderOf(written: Written, parts: readonly OutputPart[]): readonly number[] {
  const at: Record<StreamName, number> = { stdout: 0, stderr: 0 };
  const order: number[] = [];
  for (const part of parts) {
    const { stream } = part;
    if ("cut" in part) {
      expect(part.cut.from).toBe(at[stream]);
      at[stream] += part.cut.bytes;
      continue;
    }
    expect(part.offset).toBe(at[stream]);
    for (const byte of part.bytes) {
      if (byte !== written.bytes[stream][at[stream]]) expect.unreachable(`${stream} differs at ${at[stream]}`);
      order.push(written.writes[stream][at[stream]++]!);
    }
  }
  expect(at).toEqual({ stdout: written.bytes.stdout.length, stderr: written.bytes.stderr.length });
  return order;
}

const isSorted = (numbers: readonly number[]): boolean =>
  numbers.every((number, at) => at === 0 || numbers[at - 1]! <= number);

test("any writes are kept in their order with their times, within the bounds", async () => {
  await using dir = await tempDir();
  const size = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 1_500 }), fc.nat(20_000));
  const write = fc.record({ stream: fc.constantFrom(...streamNames), size, pause: fc.integer({ min: -5, max: 15 }) });
  const bounds = fc.integer({ min: limits.outputBytesMin, max: 32 * limits.outputBytesMin });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(bounds, fc.array(write, { maxLength: 60 }), async (bytesMax, writes) => {
      const attempt = `a${count++}`;
      const folder = claimFolder(dir.path, attempt);
      await mkdir(folder, { recursive: true });
      const clock = new ManualClock();
      const ordered = new OrderedOutput({ folder, bytesMax, clock, onFailure: failTest });
      const written = new Written();
      for (const { stream, size: length, pause } of writes) {
        if (pause < 0) clock.jump(pause);
        else await clock.advance(pause);
        if (length > 0) await ordered.add(stream, written.next(stream, length));
      }
      const end = await ordered.close();
      const parts = await readAll(folder);
      expect(isSorted(orderOf(written, parts))).toBe(true);
      const times = parts.flatMap((part) => ("cut" in part ? [] : [part.time ?? Number.NaN]));
      expect(isSorted(times)).toBe(true);
      for (const stream of streamNames) {
        const cuts = parts.filter((part) => part.stream === stream && "cut" in part);
        const { written: all, cut } = end[stream];
        expect(cuts).toHaveLength(cut === 0 ? 0 : 1);
        expect(all - cut).toBeLessThanOrEqual(bytesMax);
        expect(all - cut).toBeGreaterThanOrEqual(Math.min(all, bytesMax - Math.floor(bytesMax / 32)));
      }
      expect(await countKept(dir.path, attempt)).toEqual(end);
      expect(end.orderBytes).toBeLessThanOrEqual(indexBytesMax(bytesMax) + bytesMax / 2);
    }),
    { numRuns: 60 },
  );
});

test("an attempt without output makes no file, and a line to each stream makes one", async () => {
  await using dir = await tempDir();
  const options = { folder: dir.path, bytesMax: 1_000_000, clock: new ManualClock(), onFailure: failTest };
  const nothing = { written: 0, cut: 0 };
  expect(await new OrderedOutput(options).close()).toEqual({ stdout: nothing, stderr: nothing, orderBytes: 0 });
  expect(await readdir(dir.path)).toEqual([]);
  const ordered = new OrderedOutput(options);
  await ordered.add("stdout", Buffer.from("out\n"));
  await ordered.add("stderr", Buffer.from("error\n"));
  expect(await ordered.close()).toMatchObject({ stdout: { written: 4 }, stderr: { written: 6 }, orderBytes: 48 });
  expect(await readdir(dir.path)).toEqual(["output"]);
});

test("`output` is filled exactly to its bound; a read that does not fit closes it for both streams", async () => {
  await using dir = await tempDir();
  const options = { folder: dir.path, bytesMax: 1_024, clock: new ManualClock(), onFailure: failTest };
  const written = new Written();
  const ordered = new OrderedOutput(options);
  await ordered.add("stdout", written.next("stdout", 400));
  await ordered.add("stderr", written.next("stderr", 512 - 400 - 2 * 24));
  await ordered.add("stderr", written.next("stderr", 1));
  await ordered.add("stdout", written.next("stdout", 1));
  await ordered.close();
  expect((await stat(join(dir.path, "output"))).size).toBe(512);
  expect((await readdir(dir.path)).sort()).toEqual(["index", "output", "stderr.64", "stdout.400"]);
  expect(isSorted(orderOf(written, await readAll(dir.path)))).toBe(true);
});

test("without an index every byte is kept, and its failure is reported once", async () => {
  await using dir = await tempDir();
  await mkdir(join(dir.path, indexName));
  const failures: string[] = [];
  const clock = new ManualClock();
  const onFailure = (file: string): void => void failures.push(file);
  const ordered = new OrderedOutput({ folder: dir.path, bytesMax: 10_000, clock, onFailure });
  const written = new Written();
  for (let at = 0; at < 200; at++) {
    const stream = at % 2 === 0 ? "stdout" : "stderr";
    await ordered.add(stream, written.next(stream, 70));
  }
  expect(await ordered.close()).toMatchObject({
    stdout: { written: 7_000, cut: 0 },
    stderr: { written: 7_000, cut: 0 },
  });
  expect(failures).toEqual(["index"]);
});

test("alternating single bytes stay within the bound of the index, and the newest keep their exact order", async () => {
  await using dir = await tempDir();
  const clock = new ManualClock();
  const bytesMax = 100_000;
  const ordered = new OrderedOutput({ folder: dir.path, bytesMax, clock, onFailure: failTest });
  const written = new Written();
  const sizes: number[] = [];
  for (let at = 0; at < 30_000; at++) {
    const stream = at % 2 === 0 ? "stdout" : "stderr";
    await ordered.add(stream, written.next(stream, 1));
    if (at % 500 === 0) sizes.push((await stat(join(dir.path, indexName)).catch(() => null))?.size ?? 0);
  }
  await ordered.close();
  sizes.push((await stat(join(dir.path, indexName))).size);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(indexBytesMax(bytesMax));
  const order = orderOf(written, await readAll(dir.path));
  expect(order).toHaveLength(30_000);
  expect(isSorted(order)).toBe(false);
  expect(isSorted(order.slice(-5_000))).toBe(true);
});

test("beside a flood that is cut, a quiet stream keeps the order and the time of every line", async () => {
  await using dir = await tempDir();
  const clock = new ManualClock();
  const ordered = new OrderedOutput({ folder: dir.path, bytesMax: 64 * 1024, clock, onFailure: failTest });
  const written = new Written();
  const times: number[] = [];
  for (let minute = 0; minute < 60; minute++) {
    for (let at = 0; at < 50; at++) {
      await ordered.add("stdout", written.next("stdout", 1_000));
      clock.jump(20);
      if (at % 10 === 0) await clock.advance(20);
    }
    times.push(clock.now());
    await ordered.add("stderr", written.next("stderr", 10));
  }
  const { orderBytes } = await ordered.close();
  const parts = await readAll(dir.path);
  expect(isSorted(orderOf(written, parts))).toBe(true);
  expect(parts.flatMap((part) => (part.stream === "stderr" && "bytes" in part ? [part.time] : []))).toEqual(times);
  expect(orderBytes).toBeLessThan(40_000);
});
