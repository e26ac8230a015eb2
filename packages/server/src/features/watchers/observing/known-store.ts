import { mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import {
  decodeDirectory,
  decodeKey,
  decodeNumber,
  type DirectoryChange,
  encode,
  encodeKey,
  encodeNumber,
  type Frame,
  frameOf,
  type Header,
  noWords,
  readFrames,
  writeAt,
} from "./frames.ts";
import { KnownFiles } from "./known-files.ts";
import { syncFolder } from "../../../kernel/files/sync-folder.ts";

/*
 * What a watcher knows, on disk. The first frame says for which definition it was made, and how many frames were written
 * with it: if one of those is missing, the file counts as missing. A frame for a directory sets files, forgets files, or
 * forgets the directory. What a damaged frame said is found again by the scan at the start.
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

/** What was loaded of each directory. */
export type SharedKnown = Map<string, KnownFiles>;

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
    // somebody may have removed the directory
    mkdirSync(dirname(next), { recursive: true, mode: 0o700 });
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
