import { KnownFiles } from "./known-files.ts";
import type { DirectoryChange } from "./frames.ts";
import type { KnownStore, StoredDirectory } from "./known-store.ts";
import type { ReturnedNames, WatchOrder } from "./messages.ts";
import type { EndedLook, Place } from "./place.ts";

/** A file that changed this long before the definition was stored may have changed after it: times of files are coarse. */
const clockSlackMs = 10;
const always = 2n ** 63n;
const none = new Uint32Array(0);

export interface MemoryStart {
  /** The daemon starts, and files may have changed while it was away. */
  readonly isStart: boolean;
  /** Names, by directory, whose run was never stored or never started. */
  readonly returned: ReturnedNames;
}

/** What a watcher knows of files: in memory with each place, here for directories that are absent, and on disk. */
export class Memory {
  /** Places that were never looked at take files as known whose inode changed before this time, in nanoseconds. */
  baselineUntilNs: bigint | null;
  runNumber: number;
  readonly #store: KnownStore;
  readonly #absent: Map<string, StoredDirectory>;
  readonly #observation: number;
  readonly #returned: ReturnedNames;
  /** False until the first baseline is complete or a run needs it, and after a write that failed. */
  #isOnDisk: boolean;
  #isComplete: boolean;

  constructor(store: KnownStore, order: WatchOrder, { isStart, returned }: MemoryStart) {
    const stored = store.load(order.observation);
    const isUsed = stored !== null && !(isStart && order.onStart === "ignore");
    this.#store = store;
    this.#returned = returned;
    this.#observation = order.observation;
    this.#absent = new Map(isUsed ? stored.directories : []);
    this.runNumber = stored?.runNumber ?? 0;
    const fromDefinition = BigInt(order.observedFrom - clockSlackMs) * 1_000_000n;
    this.baselineUntilNs = stored === null ? fromDefinition : isUsed ? stored.baselineUntilNs : always;
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

  returnedTo(key: string): KnownFiles | null {
    const words = this.#returned.get(key);
    return words === undefined ? null : KnownFiles.of(words);
  }

  /** The directory is not there at present, and may come back. */
  keep({ key, parentKey, known, device, baselineUntilNs }: Place): void {
    if (known.count > 0 || device !== null) this.#absent.set(key, { known, parentKey, device, baselineUntilNs });
  }

  /** These directories were deleted, and with them all below. */
  forgetDirectories(keys: readonly string[]): void {
    const gone = new Set(keys);
    for (let size = -1; size !== gone.size;) {
      size = gone.size;
      for (const [key, { parentKey }] of this.#absent) if (parentKey !== null && gone.has(parentKey)) gone.add(key);
    }
    for (const key of gone) this.#absent.delete(key);
    if (gone.size > 0) this.#note(() => this.#store.leave([...gone]));
  }

  /** The directories last known below this one, which its look did not find. */
  absentBelow(key: string): readonly string[] {
    return [...this.#absent].filter(([, { parentKey }]) => parentKey === key).map(([child]) => child);
  }

  /** A place whose first look takes a baseline: a start before that takes it too. */
  noteUnread({ key, parentKey, device, baselineUntilNs }: Place): void {
    if (baselineUntilNs === null) return;
    const change: DirectoryChange = { key, parentKey, device, baselineUntilNs, is: "set", words: none };
    this.#note(() => this.#store.append([change], null));
  }

  noteLook(place: Place, { forgotten, baseline, baselineUntilNs }: EndedLook): void {
    const { key, parentKey, device } = place;
    const of = { key, parentKey, device, baselineUntilNs: null };
    const changes: DirectoryChange[] = [];
    if (forgotten.length > 0) changes.push({ ...of, is: "forget", words: forgotten });
    if (baseline.length > 0 || baselineUntilNs !== null) changes.push({ ...of, is: "set", words: baseline });
    if (changes.length > 0) this.#note(() => this.#store.append(changes, null));
  }

  /** The files of a run are known now; on disk when this returns. */
  noteHanded(changes: readonly DirectoryChange[], places: Iterable<Place>): void {
    this.runNumber++;
    if (!this.#isOnDisk || this.#store.isWorthReplacing) return this.#writeWhole(places, { isDurable: true });
    this.#append(changes);
  }

  /** These files are changes again, whatever state they are in; on disk when this returns. */
  forgetFiles(names: ReadonlyMap<string, Uint32Array>, places: Iterable<Place>): void {
    const present = new Map([...places].map((place) => [place.key, place]));
    const changes = [...names].map(([key, words]): DirectoryChange => {
      const { parentKey = null, device = null, known } = present.get(key) ?? this.#absent.get(key) ?? {};
      known?.forget(words);
      return { key, parentKey, device, baselineUntilNs: null, is: "forget", words };
    });
    if (this.#isOnDisk) this.#append(changes);
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

  remove(): void {
    this.#store.remove();
  }

  #writeWhole(places: Iterable<Place>, how: { readonly isDurable: boolean }): void {
    const directories = new Map(this.#absent);
    for (const { key, parentKey, known, device, baselineUntilNs } of places)
      directories.set(key, { known, parentKey, device, baselineUntilNs });
    const { runNumber, baselineUntilNs } = this;
    this.#isOnDisk = false;
    this.#store.replace({ directories, runNumber, baselineUntilNs }, this.#observation, how);
    this.#isOnDisk = true;
  }

  /** Throws where it is not on disk. All is written anew then, before more is added. */
  #append(changes: readonly DirectoryChange[]): void {
    this.#isOnDisk = false;
    this.#store.append(changes, this.runNumber);
    this.#isOnDisk = true;
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
