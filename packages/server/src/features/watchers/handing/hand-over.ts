import { encodeKnown } from "./handed-known.ts";
import { type DirectoryChange } from "../observing/frames.ts";
import type { FromObserver } from "../observing/messages.ts";
import type { Bytes, NameHash } from "../observing/name-hash.ts";
import type { Place } from "../observing/place.ts";
import { childPath } from "../observing/read-directory.ts";
import { wordsPerFile } from "../observing/known-files.ts";
import { syncFolder } from "../../../kernel/files/sync-folder.ts";
import type { ChangedFile, Watched } from "../observing/watched.ts";
import { discardNew, readRunFile, removeKnown, removeRunFiles, writeRunFiles } from "./run-files.ts";

export interface HandOverParts {
  /** Where the files of runs are. */
  readonly folder: string;
  readonly hash: NameHash;
  readonly watchedOf: (watcherId: string) => Watched | undefined;
  readonly rescan: (watcherId: string) => void;
  readonly post: (message: FromObserver) => void;
}

interface Prepared {
  readonly watched: Watched;
  readonly files: readonly PreparedFile[];
  readonly joins: boolean;
}

interface PrepareHow {
  readonly joins: boolean;
  readonly replacedId?: string | null;
}

interface PreparedFile {
  readonly place: Place;
  readonly name: Bytes;
  readonly words: Uint32Array;
  /** Of its directory when it settled. */
  readonly device: bigint | null;
}

interface RunOf {
  readonly watcherId: string;
  readonly runId: string;
}

export type HandOver = ReturnType<typeof createHandOver>;

/** Gives settled files to runs: they are written first, then the daemon stores the run, and then they are known. */
export function createHandOver({ folder, hash, watchedOf, rescan, post }: HandOverParts) {
  const prepared = new Map<string, Prepared>();

  return {
    /** Offers settled files again; only if none are still changing, because those are to go with them. */
    offerAgain: (watcherId: string): void => {
      const watched = watchedOf(watcherId);
      if (watched === undefined) return;
      if (watched.phase.is !== "quiet") {
        watched.isAwaited = true;
        return;
      }
      const count = watched.ready().length;
      if (count > 0) post({ is: "settled", watcherId, count });
    },

    prepare: async ({ watcherId, runId }: RunOf, { joins, replacedId = null }: PrepareHow): Promise<void> => {
      const watched = watchedOf(watcherId);
      const files = watched?.ready().map(preparedFile) ?? [];
      if (watched === undefined || files.length === 0)
        return post({ is: "unprepared", watcherId, runId, failure: null });
      prepared.set(runId, { watched, files, joins });
      const { observation } = watched.order;
      try {
        watched.memory.beginOnDisk(watched.places);
        const runNumber = watched.memory.runNumber + 1;
        await writeRunFiles(folder, runId, {
          paths: files.map(({ place, name }) => childPath(place.path, name)),
          known: encodeKnown(changesOf(files), { watcherId, observation, runNumber }),
          joins,
          replacedId,
        });
        post({ is: "prepared", watcherId, runId, count: files.length });
      } catch (error) {
        discard(runId);
        const failure = (error as NodeJS.ErrnoException).code ?? "unknown";
        post({ is: "unprepared", watcherId, runId, failure });
      }
    },

    /** The run is stored: its files are known now. */
    commit: (runId: string): void => {
      const done = prepared.get(runId);
      if (done === undefined) return;
      prepared.delete(runId);
      const { watched, files, joins } = done;
      // the renames must be on disk before the states count
      if (joins) syncFolder(folder);
      const changes = changesOf(files);
      // its directory may have gone meanwhile, and may have come back
      const present = new Map([...watched.places].map((place) => [place.key, place]));
      for (const { place, name, words } of files) {
        const at = present.get(place.key) ?? place;
        const candidate = at.candidates.get(name);
        if (candidate !== undefined && isSame(candidate.words, words)) at.dropCandidate(name);
      }
      for (const { place, words, device } of placesOf(files)) {
        const at = present.get(place.key) ?? place;
        at.files.set(words, device);
        if (!present.has(place.key)) watched.memory.keep(place);
      }
      if (watchedOf(watched.order.id) === watched) watched.memory.noteHanded(changes, watched.places);
      removeKnown(folder, runId);
    },

    discard,

    /**
     * The run will not read its files again. Those of a run that never started are changes again. On a full disk the files
     * stay until the watcher's state could be written: until then, a start needs them.
     */
    end: ({ watcherId, runId }: RunOf, { wasStarted }: { readonly wasStarted: boolean }): void => {
      const watched = watchedOf(watcherId);
      const remove = (): void => removeRunFiles(folder, runId);
      if (watched === undefined) return remove();
      try {
        if (!wasStarted) restore(watched, readRunFile(folder, runId));
      } finally {
        watched.memory.onceOnDisk(remove);
      }
    },
  };

  function discard(runId: string): void {
    const joins = prepared.get(runId)?.joins ?? true;
    prepared.delete(runId);
    if (joins) return discardNew(folder, runId);
    removeRunFiles(folder, runId);
    // after a power failure they would count as files of a run that was never stored, although another run may have them
    syncFolder(folder);
  }

  function restore(watched: Watched, paths: readonly Bytes[]): void {
    if (paths.length === 0) return;
    try {
      watched.memory.returnFiles(namesByDirectory(hash, paths), watched.places);
    } finally {
      rescan(watched.order.id);
    }
  }
}

/** The hashes of paths, by the key of their directory. */
export function namesByDirectory(hash: NameHash, paths: readonly Bytes[]): ReadonlyMap<string, Uint32Array> {
  const names = new Map<string, Bytes[]>();
  for (const path of paths) {
    const split = path.lastIndexOf("/");
    const directory = path.slice(0, split) || "/";
    const listed = names.get(directory);
    if (listed === undefined) names.set(directory, [path.slice(split + 1)]);
    else listed.push(path.slice(split + 1));
  }
  return new Map(
    [...names].map(([directory, listed]) => {
      const words = new Uint32Array(listed.length * wordsPerFile);
      for (const [index, name] of listed.entries()) hash.write(name, words, index * wordsPerFile);
      return [hash.keyOf(directory), words];
    }),
  );
}

function preparedFile({ place, name, candidate }: ChangedFile): PreparedFile {
  return { place, name, words: candidate.words, device: place.files.device };
}

function changesOf(files: readonly PreparedFile[]): readonly DirectoryChange[] {
  return placesOf(files).map(({ place: { key, parentKey, baselineUntilNs }, words, device }) => ({
    key,
    parentKey,
    device,
    baselineUntilNs,
    is: "set",
    words,
  }));
}

/** The files by their places. All were taken at one moment, when each place had one device. */
function placesOf(files: readonly PreparedFile[]): readonly Omit<PreparedFile, "name">[] {
  const byPlace = Map.groupBy(files, ({ place }) => place);
  return [...byPlace].map(([place, group]) => {
    const words = new Uint32Array(group.length * wordsPerFile);
    for (const [index, file] of group.entries()) words.set(file.words, index * wordsPerFile);
    return { place, words, device: group[0]!.device };
  });
}

function isSame(one: Uint32Array, other: Uint32Array): boolean {
  return one[2] === other[2] && one[3] === other[3];
}
