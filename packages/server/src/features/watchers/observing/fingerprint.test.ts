import type { BigIntStats } from "node:fs";
import { fc } from "@belfry/test-kit/properties";
import { expect, test } from "vitest";
import { type Trust, writeFingerprint } from "./fingerprint.ts";

interface Values {
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ino: bigint;
  readonly birthtimeNs: bigint;
}

function fingerprint(values: Values, trust: Trust): string {
  const into = new Uint32Array(3);
  writeFingerprint(into, 1, { stats: values as BigIntStats, trust });
  expect(into[0]).toBe(0);
  return into.join();
}

const value = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const values = fc.record({ size: value, mtimeNs: value, ino: value, birthtimeNs: value });
const member = fc.constantFrom("size", "mtimeNs", "ino", "birthtimeNs");

test("a state has the same fingerprint each time", () => {
  fc.assert(fc.property(values, (some) => fingerprint(some, "inode") === fingerprint({ ...some }, "inode")));
});

test("one bit of a size, time or inode makes another fingerprint", () => {
  fc.assert(
    fc.property(values, member, fc.integer({ min: 0, max: 62 }), (some, name, bit) => {
      const other = { ...some, [name]: BigInt.asIntN(64, some[name] ^ (1n << BigInt(bit))) };
      return fingerprint(some, "inode") !== fingerprint(other, "inode");
    }),
    { numRuns: 2_000 },
  );
});

test("on a network mount the inode and the time of birth do not count", () => {
  fc.assert(
    fc.property(values, value, value, (some, ino, birthtimeNs) => {
      expect(fingerprint({ ...some, ino, birthtimeNs }, "content")).toBe(fingerprint(some, "content"));
    }),
  );
});
