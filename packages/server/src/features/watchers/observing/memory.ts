import { KnownFiles } from "./known-files.ts";
import type { DirectoryChange, KnownStore, StoredDirectory } from "./known-store.ts";
import type { ReturnedNames, WatchOrder } from "./messages.ts";
import type { EndedLook, Place } from "./place.ts";

/** A file that changed this long before the definition was stored may have changed after it: times of files are coarse. */
const clockSlackMs = 10;
const always = 2n ** 63n;

export interface MemoryStart {
  /** The daemon starts, and files may have changed while it was away. */
  readonly isStart: boolean;
  /** Names, by directory, whose run was never stored or never started. */
  readonly returned: ReturnedNames;
}

/** What a watcher knows of files: in memory with each place, here for directories that are absent, and on disk. */
export class Memory {
  /** Places that were never looked at take files as known whose inode changed before this time, in nanoseconds. */
  baselineUntilNs: bigint | null = null;
  runNumber: number;
  readonly #store: KnownStore;
  readonly #absent: Map<string, StoredDirectory>;
  readonly #observation: number;
  /** False until the first baseline is complete: a start before that takes it again. */
  #isOnDisk: boolean;

  readonly #returned: ReturnedNames;

  constructor(store: KnownStore, order: WatchOrder, { isStart, returned }: MemoryStart) {
    const stored = store.load(order.observation);
    const isUsed = stored !== null && !(isStart && order.onStart === "ignore");
    this.#store = store;
    this.#returned = returned;
    this.#observation = order.observation;
    this.#absent = new Map(isUsed ? stored.directories : []);
    this.#isOnDisk = isUsed;
    this.runNumber = stored?.runNumber ?? 0;
    if (stored === null) this.baselineUntilNs = BigInt(order.observedFrom - clockSlackMs) * 1_000_000n;
    else if (!isUsed) this.baselineUntilNs = always;
  }

  get isOnDisk(): boolean {
    return this.#isOnDisk;
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
  keep({ key, parentKey, known, device }: Place): void {
    if (known.count > 0) this.#absent.set(key, { known, parentKey, device });
  }

  /** These directories were deleted, and with them all below. */
  forgetDirectories(keys: readonly string[]): void {
    const gone = new Set(keys);
    for (let size = -1; size !== gone.size;) {
      size = gone.size;
      for (const [key, { parentKey }] of this.#absent) if (parentKey !== null && gone.has(parentKey)) gone.add(key);
    }
    for (const key of gone) this.#absent.delete(key);
    if (this.#isOnDisk && gone.size > 0) this.#store.leave([...gone]);
  }

  /** The directories last known below this one, which its look did not find. */
  absentBelow(key: string): readonly string[] {
    return [...this.#absent].filter(([, { parentKey }]) => parentKey === key).map(([child]) => child);
  }

  noteLook(place: Place, { forgotten, baseline }: EndedLook): void {
    if (!this.#isOnDisk) return;
    const { key, parentKey, device } = place;
    const changes: DirectoryChange[] = [];
    if (forgotten.length > 0) changes.push({ key, parentKey, device, is: "forget", words: forgotten });
    if (baseline.length > 0) changes.push({ key, parentKey, device, is: "set", words: baseline });
    if (changes.length > 0) this.#store.append(changes, null);
  }

  /** The files of a run are known now; on disk when this returns. */
  noteHanded(changes: readonly DirectoryChange[], runNumber: number, places: Iterable<Place>): void {
    this.runNumber = runNumber;
    if (!this.#isOnDisk || this.#store.isWorthReplacing) return this.writeWhole(places, { isDurable: true });
    this.#store.append(changes, runNumber);
  }

  /** These files are changes again, whatever state they are in; on disk when this returns. */
  forgetFiles(names: ReadonlyMap<string, Uint32Array>, places: Iterable<Place>): void {
    const present = new Map([...places].map((place) => [place.key, place]));
    const changes = [...names].map(([key, words]): DirectoryChange => {
      const { parentKey = null, device = null, known } = present.get(key) ?? this.#absent.get(key) ?? {};
      known?.forget(words);
      return { key, parentKey, device, is: "forget", words };
    });
    if (this.#isOnDisk) this.#store.append(changes, this.runNumber);
  }

  writeWhole(places: Iterable<Place>, how: { readonly isDurable: boolean }): void {
    const directories = new Map(this.#absent);
    for (const { key, parentKey, known, device } of places) directories.set(key, { known, parentKey, device });
    this.#store.replace({ directories, runNumber: this.runNumber }, this.#observation, how);
    this.#isOnDisk = true;
    this.baselineUntilNs = null;
  }

  remove(): void {
    this.#store.remove();
  }
}
