import type { BigIntStats } from "node:fs";

/**
 * What makes two states of a file different: its size, its times of change and birth, and its inode. On a network mount the
 * inodes of an unchanged file may change, so that size and time alone count there.
 */
export type Trust = "inode" | "content";

const values = new BigInt64Array(4);
const words = new Uint32Array(values.buffer);

/** Writes two words at `at`, which are equal for equal states. The same file with one value changed always differs. */
export function writeFingerprint(into: Uint32Array, at: number, of: { stats: BigIntStats; trust: Trust }): void {
  const { stats, trust } = of;
  values[0] = stats.size;
  values[1] = stats.mtimeNs;
  values[2] = trust === "inode" ? stats.ino : 0n;
  values[3] = trust === "inode" ? stats.birthtimeNs : 0n;
  into[at] = mix(0x9e3779b9);
  into[at + 1] = mix(0x85ebca6b);
}

/** MurmurHash3 over the eight words, which does not lose a difference in a single word. */
function mix(seed: number): number {
  let hash = seed;
  for (let at = 0; at < words.length; at++) {
    let word = Math.imul(words[at]!, 0xcc9e2d51);
    word = Math.imul((word << 15) | (word >>> 17), 0x1b873593);
    hash ^= word;
    hash = Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64;
  }
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
