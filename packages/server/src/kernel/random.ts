import { createHash, randomBytes, randomFillSync, randomInt } from "node:crypto";

export { randomBytes };

/** Returns a random index of a list with this many items, with a generator that is safe for secrets. */
export function randomIndex(items: number): number {
  return randomInt(items);
}

/** Returns a random number, uniform in [0, 1). */
export function randomFraction(): number {
  return randomFillSync(new Uint32Array(1))[0]! / 2 ** 32;
}

/**
 * Returns a number, uniform in [0, 1), that is always the same for the same texts: for choices that must survive a
 * restart.
 */
export function fixedFraction(...words: readonly string[]): number {
  return createHash("sha256").update(JSON.stringify(words)).digest().readUInt32BE(0) / 2 ** 32;
}
