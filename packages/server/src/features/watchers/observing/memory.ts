import type { KnownFiles } from "./known-files.ts";
import type { DirectoryChange } from "./frames.ts";
import { addNames, type KnownStore, type StoredDirectory } from "./known-store.ts";
import type { WatchOrder } from "./messages.ts";
import type { EndedLook, Place } from "./place.ts";

/** A file that changed this long before a moment may have changed after it: times of files are coarse. */
const clockSlackMs = 10;
/** Of file systems on directories that are gone, so many are remembered, each with all its files. */
const goneDevicesMax = 16;
const none = new Uint32Array(0);

/** What a watcher knows of files: in memory with each place, here for directories that are absent, and on disk. */
export class Memory {
  /** Places that were never looked at take files as known whose inode changed before this time, in nanoseconds. */
  baselineUntilNs: bigint | null;
  runNumber: number;
  readonly #store: KnownStore;
  readonly #absent: Map<string, StoredDirectory>;
  readonly #observation: number;
  readonly #returned: Map<string, KnownFiles>;
  /** Devices of directories that were deleted from another one, such as a mount point with its mount. */
  readonly #goneDevices = new Set<bigint>();
  /** False until the first baseline is complete or a run needs it, and after a write that failed. */
  #isOnDisk: boolean;
  #isComplete: boolean;
  /** A write has failed: what it said of runs is on disk beside their rows alone. */
  #isBehind = false;
  readonly #onceOnDisk: (() => void)[] = [];

  /** `startedAt` is when the daemon started, if this is the first observation after that. */
  constructor(store: KnownStore, order: WatchOrder, startedAt: number | null) {
    const stored = store.load(order.observation);
    const isIgnoring = startedAt !== null && order.onStart === "ignore";
    const isUsed = stored !== null && !isIgnoring;
    this.#store = store;
    this.#returned = new Map(stored?.returned);
    this.#observation = order.observation;
    this.#absent = new Map(isUsed ? stored.directories : []);
    this.runNumber = stored?.runNumber ?? 0;
    const from = stored !== null && isIgnoring ? startedAt : order.observedFrom;
    this.baselineUntilNs = isUsed ? stored.baselineUntilNs : BigInt(from - clockSlackMs) * 1_000_000n;
    this.#isOnDisk = isUsed;
    this.#isComplete = isUsed && stored.baselineUntilNs === null;
  }

  /** Every directory has been read once, or cannot be read. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** What is known of a directory that appears. */
  take(key: string): StoredDirectory | null {
    const found = this.#absent.get(key) ?? null;
    this.#absent.delete(key);
    return found;
  }

  /** Names in a directory whose run was never stored or never started. */
  returnedTo(key: string): KnownFiles | null {
    return this.#returned.get(key) ?? null;
  }

  /** The directory is not there at present, and may come back. */
  keep({ key, parentKey, files, baselineUntilNs }: Place): void {
    if (!files.isEmpty) this.#absent.set(key, { files, parentKey, baselineUntilNs });
  }

  /** These directories were deleted, and with them all below on the same device. Another device may come back with them. */
  forgetDirectories(keys: readonly string[], device: bigint): void {
    const gone = new Set(keys);
    for (let size = -1; size !== gone.size;) {
      size = gone.size;
      for (const [key, { parentKey }] of this.#absent) if (parentKey !== null && gone.has(parentKey)) gone.add(key);
    }
    this.#drop([...gone], device);
    for (const key of gone)
      for (const state of this.#absent.get(key)?.files.states ?? [])
        if (state.device !== null) this.#goneDevices.add(state.device);
    for (const former of this.#goneDevices) {
      if (this.#goneDevices.size <= goneDevicesMax) break;
      this.#goneDevices.delete(former);
      this.#drop([...this.#absent.keys()], former);
    }
  }

  #drop(keys: readonly string[], device: bigint): void {
    const dropped: string[] = [];
    for (const key of keys) {
      const files = this.#absent.get(key)?.files;
      if (files === undefined || !files.states.some((state) => state.device === device)) continue;
      files.drop(device);
      if (files.isEmpty) this.#absent.delete(key);
      dropped.push(key);
    }
    if (dropped.length > 0) this.#note(() => this.#store.leave(dropped, device));
  }

  /** The directories last known below this one, which its look did not find. */
  absentBelow(key: string): readonly string[] {
    return [...this.#absent].filter(([, { parentKey }]) => parentKey === key).map(([child]) => child);
  }

  /** A place whose first look takes a baseline: a start before that takes it too. */
  noteUnread({ key, parentKey, files, baselineUntilNs }: Place): void {
    if (baselineUntilNs === null) return;
    const change: DirectoryChange = {
      key,
      parentKey,
      device: files.device,
      baselineUntilNs,
      is: "set",
      words: none,
    };
    this.#note(() => this.#store.append([change], null));
  }

  noteLook({ key, parentKey }: Place, look: EndedLook): void {
    const { device, isOtherDevice, renumberedFrom, forgotten, baseline, baselineUntilNs } = look;
    const of = { key, parentKey, device, renumberedFrom, baselineUntilNs: null };
    const changes: DirectoryChange[] = [];
    if (baseline.length > 0 || baselineUntilNs !== null || isOtherDevice)
      changes.push({ ...of, is: "set", words: baseline });
    if (forgotten.length > 0) changes.push({ ...of, is: "forget", words: forgotten });
    if (changes.length > 0) this.#note(() => this.#store.append(changes, null));
  }

  /** The files of a run are known now; on disk when this returns. */
  noteHanded(changes: readonly DirectoryChange[], places: Iterable<Place>): void {
    this.runNumber++;
    for (const { key, words } of changes) this.#returned.get(key)?.forget(words);
    if (!this.#isOnDisk || this.#store.isWorthReplacing) return this.#writeWhole(places, { isDurable: true });
    this.#write(() => this.#store.append(changes, this.runNumber));
  }

  /** These files are changes again, whatever state they are in; on disk when this returns. */
  returnFiles(names: ReadonlyMap<string, Uint32Array>, places: Iterable<Place>): void {
    const present = new Map([...places].map((place) => [place.key, place]));
    for (const [key, words] of names) {
      (present.get(key) ?? this.#absent.get(key))?.files.forget(words);
      addNames(this.#returned, key, words);
    }
    if (!this.#isOnDisk) return this.#writeWhole(places, { isDurable: true });
    this.#write(() => this.#store.return(names));
  }

  /** The first baseline is complete. */
  complete(places: Iterable<Place>): void {
    this.baselineUntilNs = null;
    this.#isComplete = true;
    this.#writeWhole(places, { isDurable: false });
  }

  /** Before the first run, whose files are added to what is on disk; and after a write that failed. */
  beginOnDisk(places: Iterable<Place>): void {
    if (!this.#isOnDisk) this.#writeWhole(places, { isDurable: true });
  }

  /** Does this once everything about runs is on disk: at once, unless a write has failed. */
  onceOnDisk(work: () => void): void {
    if (this.#isBehind) this.#onceOnDisk.push(work);
    else work();
  }

  remove(): void {
    this.#store.remove();
    for (const work of this.#onceOnDisk.splice(0)) work();
  }

  #writeWhole(places: Iterable<Place>, how: { readonly isDurable: boolean }): void {
    const directories = new Map(this.#absent);
    for (const { key, parentKey, files, baselineUntilNs } of places)
      directories.set(key, { files, parentKey, baselineUntilNs });
    const { runNumber, baselineUntilNs } = this;
    const state = { directories, returned: this.#returned, runNumber, baselineUntilNs };
    this.#write(() => this.#store.replace(state, this.#observation, how));
  }

  /** Throws where it is not on disk. All is written anew then, before more is added. */
  #write(write: () => void): void {
    this.#isOnDisk = false;
    this.#isBehind = true;
    write();
    this.#isOnDisk = true;
    this.#isBehind = false;
    for (const work of this.#onceOnDisk.splice(0)) work();
  }

  /** What a start would find again by itself: where it cannot be written now, all is written anew later. */
  #note(write: () => void): void {
    if (!this.#isOnDisk) return;
    try {
      write();
    } catch {
      this.#isOnDisk = false;
    }
  }
}
