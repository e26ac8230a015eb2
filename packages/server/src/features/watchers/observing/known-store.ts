import {
  closeSync,
  constants,
  fsyncSync,
  ftruncateSync,
  openSync,
  fstatSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { KnownFiles } from "./known-files.ts";
import { syncFolder } from "./sync-folder.ts";

/*
 * What a watcher knows, on disk. A file is a list of frames: the length of the frame's header and of its words, a checksum of
 * all, the header (JSON), the words. The first frame says for which definition it was made, and how many frames were written
 * with it: if one of those is missing, the file counts as missing. A frame for a directory sets files, forgets files, or
 * forgets the directory. A frame that is cut off or damaged ends the file: what it said is found again by the scan at the start.
 */

export interface StoredDirectory {
  readonly known: KnownFiles;
  readonly parentKey: string | null;
  readonly device: bigint | null;
  /** Until it is read for the first time: files that its inodes say are older are no changes. */
  readonly baselineUntilNs: bigint | null;
}

export interface StoredState {
  readonly directories: ReadonlyMap<string, StoredDirectory>;
  /** The same for directories that are not in here, until the first baseline is complete. */
  readonly baselineUntilNs: bigint | null;
  /** The number of the last run whose files are in here. */
  readonly runNumber: number;
}

export interface DirectoryChange {
  readonly key: string;
  readonly parentKey: string | null;
  readonly device: bigint | null;
  readonly baselineUntilNs: bigint | null;
  readonly is: "set" | "forget";
  readonly words: Uint32Array;
}

type Header =
  | { readonly is: "begin"; readonly observation: number; readonly baseline: string | null; readonly frames: number }
  | { readonly is: "run"; readonly number: number }
  | ({ readonly is: "handed" } & HandedKnown)
  | {
      readonly is: "set" | "forget";
      readonly key: string;
      readonly parent: string | null;
      readonly device: string | null;
      readonly baseline: string | null;
    }
  | { readonly is: "leave"; readonly key: string };

interface Frame {
  readonly header: Header;
  readonly words: Uint32Array;
}

const frameStartBytes = 12;
/** Where the checksum is: it covers the lengths too, because a power failure may leave zeros, which would be an empty frame. */
const checksumAt = 8;
const noWords = new Uint32Array(0);

/** What was loaded of each directory. */
export type SharedKnown = Map<string, KnownFiles>;

/** The bytes of the file that is being read: a new buffer for each of a thousand files would stay in memory for long. */
let scratch = Buffer.alloc(0);

export class KnownStore {
  readonly #path: string;
  /** Of the whole frames: what an interrupted write left behind them is cut off by the next one. */
  #end = 0;
  /** Rewriting pays off when the file has grown well beyond its last size. */
  #replacedEnd = 0;
  #hasDurableName = false;

  readonly #shared: SharedKnown;

  /** `shared` is for many watchers that are loaded one after the other. */
  constructor(path: string, shared: SharedKnown = new Map()) {
    this.#path = path;
    this.#shared = shared;
  }

  /** Null if there is none, or none of this definition. */
  load(observation: number): StoredState | null {
    const { frames, end } = readFrames(this.#path);
    this.#end = end;
    this.#replacedEnd = 0;
    const first = frames[0]?.header;
    if (first?.is !== "begin" || first.observation !== observation || frames.length <= first.frames) return null;
    const directories = new Map<string, StoredDirectory>();
    let runNumber = 0;
    for (const { header, words } of frames) {
      if (header.is === "run") runNumber = header.number;
      if (header.is === "leave") directories.delete(decodeKey(header.key));
      if (header.is === "forget") directories.get(decodeKey(header.key))?.known.forget(words);
      if (header.is !== "set") continue;
      const key = decodeKey(header.key);
      const present = directories.get(key);
      const known = present?.known ?? this.#share(key, words);
      if (present !== undefined) known.set(words);
      directories.set(key, { known, ...decodeDirectory(header) });
    }
    return { directories, runNumber, baselineUntilNs: decodeNumber(first.baseline) };
  }

  /** Writes everything anew. */
  replace(state: StoredState, observation: number, { isDurable }: { readonly isDurable: boolean }): void {
    const frames: Frame[] = [];
    if (state.runNumber > 0) frames.push({ header: { is: "run", number: state.runNumber }, words: noWords });
    for (const [key, { known, ...directory }] of state.directories)
      frames.push(frameOf({ key, ...directory, is: "set", words: known.words }));
    const baseline = encodeNumber(state.baselineUntilNs);
    const begin: Header = { is: "begin", observation, baseline, frames: frames.length };
    const next = `${this.#path}.new`;
    const bytes = encode([{ header: begin, words: noWords }, ...frames]);
    rmSync(next, { force: true });
    writeAt(next, 0, { bytes, isDurable });
    renameSync(next, this.#path);
    if (isDurable) syncFolder(dirname(this.#path));
    this.#hasDurableName = isDurable;
    this.#end = bytes.length;
    this.#replacedEnd = bytes.length;
  }

  /** Adds changes. With a run, they are on disk when this returns. */
  append(changes: readonly DirectoryChange[], runNumber: number | null): void {
    const frames = changes.map(frameOf);
    if (runNumber !== null) frames.push({ header: { is: "run", number: runNumber }, words: noWords });
    this.#append(frames, { isDurable: runNumber !== null });
  }

  /** The directory is no longer observed. */
  leave(keys: readonly string[]): void {
    const frames = keys.map((key): Frame => ({ header: { is: "leave", key: encodeKey(key) }, words: noWords }));
    this.#append(frames, { isDurable: false });
  }

  get isWorthReplacing(): boolean {
    return this.#end > 2 * this.#replacedEnd + 256 * 1024;
  }

  /** Watchers of one directory mostly know the same: it is then in memory once. */
  #share(key: string, words: Uint32Array): KnownFiles {
    const former = this.#shared.get(key);
    if (former?.hasExactly(words) === true) return new KnownFiles(former.words);
    const known = KnownFiles.of(words);
    this.#shared.set(key, known);
    return known;
  }

  #append(frames: readonly Frame[], { isDurable }: { readonly isDurable: boolean }): void {
    const bytes = encode(frames);
    writeAt(this.#path, this.#end, { bytes, isDurable });
    this.#end += bytes.length;
    if (!isDurable || this.#hasDurableName) return;
    syncFolder(dirname(this.#path));
    this.#hasDurableName = true;
  }

  remove(): void {
    rmSync(this.#path, { force: true });
    rmSync(`${this.#path}.new`, { force: true });
  }
}

function frameOf({ key, parentKey, device, baselineUntilNs, is, words }: DirectoryChange): Frame {
  return {
    header: {
      is,
      key: encodeKey(key),
      parent: parentKey === null ? null : encodeKey(parentKey),
      device: encodeNumber(device),
      baseline: encodeNumber(baselineUntilNs),
    },
    words,
  };
}

function decodeDirectory(header: Extract<Header, { readonly is: "set" | "forget" }>) {
  return {
    parentKey: header.parent === null ? null : decodeKey(header.parent),
    device: decodeNumber(header.device),
    baselineUntilNs: decodeNumber(header.baseline),
  };
}

function encodeNumber(value: bigint | null): string | null {
  return value === null ? null : String(value);
}

function decodeNumber(text: string | null): bigint | null {
  return text === null ? null : BigInt(text);
}

function encodeKey(key: string): string {
  return Buffer.from(key, "latin1").toString("hex");
}

function decodeKey(key: string): string {
  return Buffer.from(key, "hex").toString("latin1");
}

/** What a run was handed, for a start that finds the run stored, but not its files among the known ones. */
export interface HandedKnown {
  readonly watcherId: string;
  readonly observation: number;
  readonly runNumber: number;
}

export function encodeKnown(changes: readonly DirectoryChange[], of: HandedKnown): Buffer {
  return encode([{ header: { is: "handed", ...of }, words: noWords }, ...changes.map(frameOf)]);
}

/** Null where the file is damaged: it was being written when the power failed, before the run was stored. */
export function readHanded(
  path: string,
): { readonly of: HandedKnown; readonly changes: readonly DirectoryChange[] } | null {
  const [first, ...frames] = readFrames(path).frames;
  if (first?.header.is !== "handed") return null;
  const changes = frames.flatMap(({ header, words }): readonly DirectoryChange[] => {
    if (header.is !== "set") return [];
    // the frames of the next file take the same place
    return [{ key: decodeKey(header.key), ...decodeDirectory(header), is: "set", words: words.slice() }];
  });
  return { of: first.header, changes };
}

function encode(frames: readonly Frame[]): Buffer {
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

function readFrames(path: string): { readonly frames: readonly Frame[]; readonly end: number } {
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

function writeAt(
  path: string,
  position: number,
  { bytes, isDurable }: { readonly bytes: Buffer; readonly isDurable: boolean },
): void {
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    ftruncateSync(file, position);
    for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done, bytes.length - done, position + done);
    if (isDurable) fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
