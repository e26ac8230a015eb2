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
import { DeviceFiles } from "./device-files.ts";
import { KnownFiles } from "./known-files.ts";
import { syncFolder } from "../../../kernel/files/sync-folder.ts";

/*
 * What a watcher knows, on disk. The first frame says for which definition it was made, and how many frames were written
 * with it: if one of those is missing, the file counts as missing. A frame for a directory sets files, forgets files, returns
 * files whose run did not start, or forgets the directory. What a damaged frame said is found again by the scan at the start.
 */

export interface StoredDirectory {
  readonly files: DeviceFiles;
  readonly parentKey: string | null;
  /** Until it is read for the first time: files that its inodes say are older are no changes. */
  readonly baselineUntilNs: bigint | null;
}

/** Names, by directory, that count as changed although a baseline finds them: their run was never stored or never started. */
export type ReturnedNames = ReadonlyMap<string, KnownFiles>;

export interface StoredState {
  readonly directories: ReadonlyMap<string, StoredDirectory>;
  readonly returned: ReturnedNames;
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
    const returned = new Map<string, KnownFiles>();
    let runNumber = 0;
    for (const { header, words } of frames) {
      if (header.is === "run") runNumber = header.number;
      if (!("key" in header)) continue;
      const key = decodeKey(header.key);
      const present = directories.get(key);
      switch (header.is) {
        case "leave":
          present?.files.drop(decodeNumber(header.device));
          if (present?.files.isEmpty === true) directories.delete(key);
          break;
        case "forget":
          present?.files.forget(words);
          break;
        case "return":
          present?.files.forget(words);
          addNames(returned, key, words);
          break;
        case "set": {
          const { device, renumberedFrom, ...directory } = decodeDirectory(header);
          const files = present?.files ?? new DeviceFiles(device, this.#share(key, words));
          if (renumberedFrom !== null && device !== null) files.renumber(renumberedFrom, device);
          files.use(device);
          if (present !== undefined) files.set(words, device);
          returned.get(key)?.forget(words);
          directories.set(key, { files, ...directory });
        }
      }
    }
    return { directories, returned, runNumber, baselineUntilNs: decodeNumber(first.baseline) };
  }

  /** Writes everything anew. */
  replace(state: StoredState, observation: number, { isDurable }: { readonly isDurable: boolean }): void {
    const frames: Frame[] = [];
    if (state.runNumber > 0) frames.push({ header: { is: "run", number: state.runNumber }, words: noWords });
    for (const [key, { files, ...directory }] of state.directories)
      for (const { device, known } of files.states)
        frames.push(frameOf({ key, ...directory, device, is: "set", words: known.words }));
    for (const [key, { words }] of state.returned) if (words.length > 0) frames.push(returnFrame(key, words));
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

  /** These directories were deleted on this device. */
  leave(keys: readonly string[], device: bigint | null): void {
    const of = { is: "leave", device: encodeNumber(device) } as const;
    const frames = keys.map((key): Frame => ({ header: { ...of, key: encodeKey(key) }, words: noWords }));
    this.#append(frames, { isDurable: false });
  }

  /** These names, by directory, are changes again; on disk when this returns. */
  return(names: ReadonlyMap<string, Uint32Array>): void {
    this.#append(
      [...names].map(([key, words]) => returnFrame(key, words)),
      { isDurable: true },
    );
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

function returnFrame(key: string, words: Uint32Array): Frame {
  return { header: { is: "return", key: encodeKey(key) }, words };
}

/** Adds names of a directory to those that count as changed. */
export function addNames(names: Map<string, KnownFiles>, key: string, words: Uint32Array): void {
  const present = names.get(key);
  if (present === undefined) names.set(key, KnownFiles.of(words));
  else present.set(words);
}
