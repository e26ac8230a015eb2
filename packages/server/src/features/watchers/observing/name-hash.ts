import { hash } from "node:crypto";

/** Names and paths are bytes on Linux. They are held as text with one character for each byte, so that none is lost. */
export type Bytes = string;

export interface NameHash {
  /** Writes two words at `at`. */
  readonly write: (name: Bytes, into: Uint32Array, at: number) => void;
  /** The same as a key of a map. */
  readonly keyOf: (name: Bytes) => string;
}

const keyBytes = 32;
const nameBytesMax = 4_096;

/** Hashes names with a key, so that the state on disk does not reveal which files exist. */
export function createNameHash(key: Uint8Array): NameHash {
  const input = Buffer.alloc(keyBytes + nameBytesMax);
  input.set(key.subarray(0, keyBytes));
  const digest = (name: Bytes): Buffer => {
    const end = keyBytes + input.write(name, keyBytes, "latin1");
    return hash("sha256", input.subarray(0, end), "buffer");
  };
  return {
    write: (name, into, at) => {
      const bytes = digest(name);
      into[at] = bytes.readUInt32LE(0);
      into[at + 1] = bytes.readUInt32LE(4);
    },
    keyOf: (name) => digest(name).toString("latin1", 0, 8),
  };
}
