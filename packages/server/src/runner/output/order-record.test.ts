import { fc } from "@belfry/test-kit/properties";
import { expect, test } from "vitest";
import {
  decodeRecord,
  encodeRecord,
  indexBytesMax,
  openingBytesMax,
  type OrderRecord,
  parseOpening,
  recordBytes,
} from "./order-record.ts";

const highest = 2 ** 48 - 1;
const number = fc.oneof(fc.constantFrom(0, 1, highest), fc.nat({ max: highest }));
const records: fc.Arbitrary<OrderRecord> = fc.record({
  stream: fc.constantFrom("stdout", "stderr"),
  time: number,
  ends: fc.record({ stdout: number, stderr: number }),
});

test("a record is decoded as it was encoded", () => {
  fc.assert(
    fc.property(records, fc.nat(5), (record, position) => {
      const encoded = encodeRecord(record);
      expect(encoded).toHaveLength(recordBytes);
      expect(decodeRecord(Buffer.concat([Buffer.alloc(position), encoded]), position)).toEqual(record);
    }),
  );
});

test("a record with any bit changed is not decoded", () => {
  fc.assert(
    fc.property(records, (record) => {
      for (let bit = 0; bit < recordBytes * 8; bit++) {
        const damaged = encodeRecord(record);
        damaged[bit >> 3]! ^= 1 << (bit & 7);
        expect(decodeRecord(damaged)).toBeNull();
      }
    }),
    { numRuns: 30 },
  );
});

test("an incomplete record, zeros and an unknown stream are not decoded", () => {
  const record = encodeRecord({ stream: "stderr", time: 1, ends: { stdout: 0, stderr: 1 } });
  for (let size = 0; size < recordBytes; size++) expect(decodeRecord(record.subarray(0, size))).toBeNull();
  expect(decodeRecord(Buffer.alloc(recordBytes))).toBeNull();
  expect(decodeRecord(record, 1)).toBeNull();
  expect(
    decodeRecord(encodeRecord({ stream: "third" as "stdout", time: 0, ends: { stdout: 0, stderr: 0 } })),
  ).toBeNull();
});

const writes: readonly (readonly [stream: "stdout" | "stderr", text: string])[] = [
  ["stdout", "one"],
  ["stderr", "two"],
  ["stderr", "x"],
  ["stdout", "three"],
];

function openingOf(): Buffer {
  const ends = { stdout: 0, stderr: 0 };
  const parts = writes.flatMap(([stream, text], index) => {
    ends[stream] += text.length;
    return [encodeRecord({ stream, time: 1_000 + index, ends }), Buffer.from(text)];
  });
  return Buffer.concat(parts);
}

test("the opening is parsed in the order of reading, with times and offsets", () => {
  const { pieces, ends } = parseOpening(openingOf());
  expect(pieces.map(({ stream, offset, time, bytes }) => [stream, offset, time, bytes.toString()])).toEqual([
    ["stdout", 0, 1_000, "one"],
    ["stderr", 0, 1_001, "two"],
    ["stderr", 3, 1_002, "x"],
    ["stdout", 3, 1_003, "three"],
  ]);
  expect(ends).toEqual({ stdout: 8, stderr: 4 });
});

test("an opening that is cut at any byte, or damaged in any record, gives a prefix of its bytes", () => {
  const whole = openingOf();
  const bytesOf = (file: Buffer): string =>
    Buffer.concat(parseOpening(file).pieces.map(({ bytes }) => bytes)).toString();
  const all = bytesOf(whole);
  for (let size = 0; size <= whole.length; size++) {
    const { pieces, ends } = parseOpening(whole.subarray(0, size));
    const wholeRecords = Math.min(size, size - recordBytes * pieces.length);
    expect(all.startsWith(bytesOf(whole.subarray(0, size)))).toBe(true);
    expect(ends.stdout + ends.stderr).toBe(bytesOf(whole.subarray(0, size)).length);
    expect(ends.stdout + ends.stderr).toBeLessThanOrEqual(wholeRecords);
  }
  const second = recordBytes + 3;
  for (let at = second; at < second + recordBytes; at++) {
    const damaged = Buffer.from(whole);
    damaged[at]! ^= 0x40;
    expect(bytesOf(damaged)).toBe("one");
  }
});

test("a record that says nothing new, or of both streams, ends the opening", () => {
  const first = Buffer.concat([
    encodeRecord({ stream: "stdout", time: 1, ends: { stdout: 1, stderr: 0 } }),
    Buffer.from("a"),
  ]);
  for (const ends of [
    { stdout: 1, stderr: 0 },
    { stdout: 0, stderr: 0 },
    { stdout: 2, stderr: 1 },
  ]) {
    const file = Buffer.concat([first, encodeRecord({ stream: "stdout", time: 2, ends }), Buffer.from("bc")]);
    expect(parseOpening(file).ends).toEqual({ stdout: 1, stderr: 0 });
  }
});

test("the opening never exceeds the half of a stream that is kept, and 10,000 records fit into every index", () => {
  expect([1_024, 1_025, 131_072, 10_485_760].map(openingBytesMax)).toEqual([512, 512, 65_536, 65_536]);
  expect([1_024, 10_485_760, 512 * 1024 * 1024].map(indexBytesMax)).toEqual([262_272, 1_572_864, 16_777_216]);
  expect((indexBytesMax(1_024) * 15) / 16 / recordBytes).toBeGreaterThan(10_000);
});
