import type { BigIntStats } from "node:fs";
import { DeviceFiles } from "./device-files.ts";
import type { Directory, DirectoryUser } from "./directories.ts";
import { type KnownFiles, wordsPerFile } from "./known-files.ts";
import type { Bytes } from "./name-hash.ts";
import type { ReadFailure } from "./read-directory.ts";

/** A changed file that no run was handed yet. */
export interface Candidate {
  /** Its name's hash and its fingerprint. */
  words: Uint32Array;
  /** Monotonic time at which it was first seen in this state. */
  sinceMs: number;
  /** It has settled, and waits for a run. */
  isReady: boolean;
}

/** The watcher that a place belongs to. */
export interface PlaceOwner {
  readonly selects: (name: Bytes) => boolean;
  readonly onChange: (atMs: number) => void;
  readonly onLooked: (place: Place, look: EndedLook) => void;
  readonly onFailure: (place: Place, failure: ReadFailure) => void;
}

export interface PlaceParts {
  readonly owner: PlaceOwner;
  /** Its path as the watcher names it, through links. */
  readonly path: Bytes;
  readonly key: string;
  readonly parentKey: string | null;
  /** Subdirectories are observed too. */
  readonly isRecursive: boolean;
  readonly files: DeviceFiles;
  /** The first look takes what it finds as known, unless it changed at this time (of the inode, in nanoseconds) or later. */
  readonly baselineUntilNs: bigint | null;
  /** Names that this baseline does not take, because their run never started. */
  readonly returned: () => KnownFiles | null;
}

/** One directory of one watcher: what is known of its files, and which of them have changed. */
export class Place implements DirectoryUser {
  readonly path: Bytes;
  readonly key: string;
  readonly parentKey: string | null;
  readonly owner: PlaceOwner;
  readonly isRecursive: boolean;
  /** Null for a place without subdirectories: most of many thousands. */
  children: Map<Bytes, Place> | null = null;
  readonly files: DeviceFiles;
  baselineUntilNs: bigint | null;
  readonly #returned: () => KnownFiles | null;
  /** Null while nothing has changed. */
  #candidates: Map<Bytes, Candidate> | null = null;
  failure: ReadFailure | null = null;
  hasBeenRead = false;
  isHinted = false;
  directory: Directory | null = null;
  /** Where in the words of the look are the files that a baseline takes. */
  #baseline: number[] = [];

  constructor(parts: PlaceParts) {
    this.path = parts.path;
    this.key = parts.key;
    this.parentKey = parts.parentKey;
    this.owner = parts.owner;
    this.isRecursive = parts.isRecursive;
    this.files = parts.files;
    this.baselineUntilNs = parts.baselineUntilNs;
    this.#returned = parts.returned;
  }

  get candidates(): ReadonlyMap<Bytes, Candidate> {
    return this.#candidates ?? noCandidates;
  }

  dropCandidate(name: Bytes): void {
    this.#candidates?.delete(name);
    if (this.#candidates?.size === 0) this.#candidates = null;
  }

  dropCandidates(): void {
    this.#candidates = null;
  }

  onHint(): void {
    this.isHinted = true;
  }

  /** Before a complete look: an interrupted one may have left something. */
  beginLook(): void {
    this.#baseline = [];
  }

  /** Whether the state of this file must be read although only its name was asked for. */
  isOpenQuestion(name: Bytes, words: Uint32Array, at: number): boolean {
    return this.candidates.has(name) || this.files.current.compare(words, at) === "unknown";
  }

  /**
   * A file as it is now. It counts as changed from `atMs` on, when the change was noticed. A baseline is taken from a complete
   * look (`isScanned`) alone: `at` is a place in the words that `endLook` is given.
   */
  see(
    name: Bytes,
    words: Uint32Array,
    seen: { readonly at: number; readonly stats: BigIntStats; readonly atMs: number; readonly isScanned: boolean },
  ): void {
    const { at, stats, atMs, isScanned } = seen;
    if (this.files.has(words, at)) {
      this.dropCandidate(name);
      return;
    }
    const isBefore = this.baselineUntilNs !== null && stats.ctimeNs < this.baselineUntilNs;
    if (isBefore && !this.#isReturned(words, at)) return void (isScanned && this.#baseline.push(at));
    const file = words.slice(at, at + wordsPerFile);
    const former = this.candidates.get(name);
    if (former !== undefined && former.words[2] === file[2] && former.words[3] === file[3]) return;
    (this.#candidates ??= new Map()).set(name, { words: file, sinceMs: atMs, isReady: false });
    this.owner.onChange(atMs);
  }

  #isReturned(words: Uint32Array, at: number): boolean {
    const returned = this.#returned();
    return returned !== null && returned.compare(words, at) !== "unknown";
  }

  /** After a complete look at a directory on this device. Files of another device are kept: they may come back with it. */
  endLook(words: Uint32Array, of: LookedAt): void {
    const { device, present, directories, depth } = of;
    const { baselineUntilNs } = this;
    for (const name of this.candidates.keys()) if (!of.hasName(name)) this.dropCandidate(name);
    const isOtherDevice = this.files.device !== null && this.files.device !== device;
    const renumberedFrom = this.files.arrive(device, present);
    const forgotten = this.files.current.retain(present);
    const baseline = pick(words, this.#baseline);
    this.#baseline = [];
    this.files.current.set(baseline);
    this.baselineUntilNs = null;
    this.failure = null;
    this.hasBeenRead = true;
    this.isHinted = false;
    this.owner.onLooked(this, {
      device,
      isOtherDevice,
      renumberedFrom,
      forgotten,
      baseline,
      baselineUntilNs,
      directories,
      depth,
    });
  }

  fail(failure: ReadFailure): void {
    this.failure = failure;
    this.isHinted = false;
    this.owner.onFailure(this, failure);
  }
}

/** All that a complete look found. */
export interface LookedAt {
  readonly device: bigint;
  readonly present: KnownFiles;
  readonly hasName: (name: Bytes) => boolean;
  readonly directories: ReadonlySet<Bytes>;
  readonly depth: ScanDepth;
}

/** `all` reads the state of every file. `names` reads that of new files and candidates only, and finds those that are gone. */
export type ScanDepth = "all" | "names";

export interface EndedLook {
  readonly device: bigint;
  /** It is not the device of the look before. */
  readonly isOtherDevice: boolean;
  /** The former number of its device, where that is another one now. */
  readonly renumberedFrom: bigint | null;
  readonly forgotten: Uint32Array;
  /** The files taken as known, up to this time of the inode. */
  readonly baseline: Uint32Array;
  readonly baselineUntilNs: bigint | null;
  readonly directories: ReadonlySet<Bytes>;
  readonly depth: ScanDepth;
}

const noCandidates: ReadonlyMap<Bytes, Candidate> = new Map();

function pick(words: Uint32Array, places: readonly number[]): Uint32Array {
  const picked = new Uint32Array(places.length * wordsPerFile);
  for (const [index, at] of places.entries()) picked.set(words.subarray(at, at + wordsPerFile), index * wordsPerFile);
  return picked;
}
