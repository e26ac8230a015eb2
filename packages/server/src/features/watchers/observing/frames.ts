import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";

/*
 * The form of what is known of files, on disk. A file is a list of frames: the length of the frame's header and of its words, a
 * checksum of all, the header (JSON), the words. A frame that is cut off or damaged ends the file.
 */

export interface DirectoryChange {
  readonly key: string;
  readonly parentKey: string | null;
  readonly device: bigint | null;
  /** The former number of the device, if it has another number now. */
  readonly renumberedFrom?: bigint | null;
  readonly baselineUntilNs: bigint | null;
  readonly is: "set" | "forget";
  readonly words: Uint32Array;
}

/** What a run was handed, for a start that finds the run stored, but not its files among the known ones. */
export interface HandedKnown {
  readonly watcherId: string;
  readonly observation: number;
  readonly runNumber: number;
}

export type Header =
  | { readonly is: "begin"; readonly observation: number; readonly baseline: string | null; readonly frames: number }
  | { readonly is: "run"; readonly number: number }
  | ({ readonly is: "handed" } & HandedKnown)
  | {
      readonly is: "set" | "forget";
      readonly key: string;
      readonly parent: string | null;
      readonly device: string | null;
      readonly was: string | null;
      readonly baseline: string | null;
    }
  /** The directory was deleted, on this device. */
  | { readonly is: "leave"; readonly key: string; readonly device: string | null }
  /** Files whose run was never stored or never started. */
  | { readonly is: "return"; readonly key: string };

export interface Frame {
  readonly header: Header;
  readonly words: Uint32Array;
}

const frameStartBytes = 12;
/** Where the checksum is: it covers the lengths too, because a power failure may leave zeros, which would be an empty frame. */
const checksumAt = 8;
export const noWords = new Uint32Array(0);

/** The bytes of the file that is being read: a new buffer for each of a thousand files would stay in memory for long. */
let scratch = Buffer.alloc(0);

export function frameOf(change: DirectoryChange): Frame {
  const { key, parentKey, device, renumberedFrom = null, baselineUntilNs, is, words } = change;
  return {
    header: {
      is,
      key: encodeKey(key),
      parent: parentKey === null ? null : encodeKey(parentKey),
      device: encodeNumber(device),
      was: encodeNumber(renumberedFrom),
      baseline: encodeNumber(baselineUntilNs),
    },
    words,
  };
}

export function decodeDirectory(header: Extract<Header, { readonly is: "set" | "forget" }>) {
  return {
    parentKey: header.parent === null ? null : decodeKey(header.parent),
    device: decodeNumber(header.device),
    renumberedFrom: decodeNumber(header.was),
    baselineUntilNs: decodeNumber(header.baseline),
  };
}

export function encodeNumber(value: bigint | null): string | null {
  return value === null ? null : String(value);
}

export function decodeNumber(text: string | null): bigint | null {
  return text === null ? null : BigInt(text);
}

export function encodeKey(key: string): string {
  return Buffer.from(key, "latin1").toString("hex");
}

export function decodeKey(key: string): string {
  return Buffer.from(key, "hex").toString("latin1");
}

export function encode(frames: readonly Frame[]): Buffer {
  const parts: Buffer[] = [];
  for (const { header, words } of frames) {
    const json = JSON.stringify(header);
    // so that the words begin at a multiple of four, and need not be copied when they are read
    const text = Buffer.from(json.padEnd(4 * Math.ceil(json.length / 4)));
    const body = Buffer.from(words.buffer, words.byteOffset, words.byteLength);
    const start = Buffer.alloc(frameStartBytes);
    start.writeUInt32LE(text.length, 0);
    start.writeUInt32LE(body.length, 4);
    start.writeUInt32LE(checksumOf(start, text, body), checksumAt);
    parts.push(start, text, body);
  }
  return Buffer.concat(parts);
}

function checksumOf(start: Buffer, text: Buffer, body: Buffer): number {
  return crc32(body, crc32(text, crc32(start.subarray(0, checksumAt))));
}

/** The frames up to the first damaged one, good until the next file is read, and where they end. */
export function readFrames(path: string): { readonly frames: readonly Frame[]; readonly end: number } {
  const bytes = readWhole(path);
  const frames: Frame[] = [];
  let at = 0;
  while (at + frameStartBytes <= bytes.length) {
    const start = bytes.subarray(at, at + frameStartBytes);
    const textEnd = at + frameStartBytes + start.readUInt32LE(0);
    const end = textEnd + start.readUInt32LE(4);
    if (end > bytes.length) break;
    const text = bytes.subarray(at + frameStartBytes, textEnd);
    const body = bytes.subarray(textEnd, end);
    if (checksumOf(start, text, body) !== start.readUInt32LE(checksumAt)) break;
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset + textEnd, body.length / 4);
    frames.push({ header: JSON.parse(text.toString()) as Header, words });
    at = end;
  }
  return { frames, end: at };
}

/** Good until the next file is read. */
function readWhole(path: string): Buffer {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return scratch.subarray(0, 0);
    throw error;
  }
  try {
    const { size } = fstatSync(file);
    if (scratch.length < size) scratch = Buffer.from(new ArrayBuffer(size));
    let end = 0;
    while (end < size) {
      const count = readSync(file, scratch, end, size - end, end);
      if (count === 0) break;
      end += count;
    }
    return scratch.subarray(0, end);
  } finally {
    closeSync(file);
  }
}

export function writeAt(
  path: string,
  position: number,
  { bytes, isDurable }: { readonly bytes: Buffer; readonly isDurable: boolean },
): void {
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    if (fstatSync(file).size < position) throw new Error("the file is not the one that was written before");
    ftruncateSync(file, position);
    for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done, bytes.length - done, position + done);
    if (isDurable) fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
