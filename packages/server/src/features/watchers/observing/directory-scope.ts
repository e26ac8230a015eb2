import type { BigIntStats } from "node:fs";
import { DeviceFiles } from "./device-files.ts";
import type { Directories } from "./directories.ts";
import { type Trust, writeFingerprint } from "./fingerprint.ts";
import type { Memory } from "./memory.ts";
import type { Bytes, NameHash } from "./name-hash.ts";
import { type EndedLook, Place, type PlaceOwner } from "./place.ts";
import { childPath, statLink } from "./read-directory.ts";
import type { ResolvedPath } from "./resolve-path.ts";
import type { Root } from "./root.ts";

export interface ScopeParts {
  readonly path: Bytes;
  readonly root: Root;
  readonly directories: Directories;
  readonly hash: NameHash;
  readonly trust: Trust;
  readonly memory: Memory;
  readonly owner: PlaceOwner;
  readonly isRecursive: boolean;
  readonly isRemote: (path: Bytes) => boolean;
  readonly isOwn: (identity: { readonly dev: bigint; readonly ino: bigint }) => boolean;
  readonly isFile: (path: Bytes, stats: BigIntStats) => boolean;
  readonly nowMs: () => number;
  /** Look at the whole directory soon. */
  readonly queueScan: (place: Place) => void;
}

/** `regular` is the check every few seconds: a path without links is compared only with where it led before. */
export type CheckDepth = "regular" | "complete";

/** Where a watcher looks: a tree of directories, or one file. */
export interface Scope {
  readonly places: () => Iterable<Place>;
  /** Resolves the path again, and looks at its target if that is another one now. */
  readonly check: (how: CheckDepth) => ResolvedPath["failure"] | "not_file" | "file_missing";
  /** Looks at one changed file again. */
  readonly lookAt: (place: Place, name: Bytes) => void;
  /** A place was looked at: its subdirectories come and go. */
  readonly follow: (place: Place, look: EndedLook) => void;
  /** Subdirectories on network mounts, which are not observed. */
  readonly countRemote: () => number;
  readonly close: () => void;
}

export function createDirectoryScope(parts: ScopeParts): Scope {
  const { directories, memory, root, owner } = parts;
  const places = new Map<string, Place>();
  const remote = new Set<Bytes>();
  const rootKey = parts.hash.keyOf(parts.path);

  return {
    places: () => places.values(),
    countRemote: () => remote.size,
    check: (depth) => {
      const place = places.get(rootKey);
      const directory = place?.failure === null ? place.directory : null;
      const isOther = directory !== null && directories.verify(directory);
      if (depth === "regular" && directory !== null && !root.hasLinks() && !isOther) return null;
      const { real, failure } = root.resolve();
      if (real === null) {
        if (place !== undefined) removePlace(place);
        // what appears later is new, but what cannot be read yet is not
        if (failure === "gone") memory.baselineUntilNs = null;
        return failure;
      }
      if (place?.directory?.path === real) {
        if (place.failure !== null || isOther) parts.queueScan(place);
        return null;
      }
      if (place === undefined) addPlace(parts.path, real, null);
      else movePlace(place, real);
      return null;
    },
    lookAt: (place, name) => {
      const former = place.candidates.get(name);
      if (former === undefined) return;
      if (place.directory === null) return place.dropCandidate(name);
      const path = childPath(place.directory.path, name);
      const stats = statLink(path);
      if (typeof stats === "string" || !parts.isFile(path, stats)) return place.dropCandidate(name);
      const words = former.words.slice();
      writeFingerprint(words, 2, { stats, trust: parts.trust });
      place.see(name, words, { at: 0, stats, atMs: parts.nowMs(), isScanned: false });
    },
    follow: (place, look) => {
      if (!place.isRecursive || place.directory === null) return;
      renumberAbove(place, look);
      const { path } = place.directory;
      const gone: string[] = [];
      for (const [name, child] of place.children ?? []) {
        if (look.directories.has(name)) {
          // another directory may have taken the name
          if (look.depth === "all" && child.directory !== null && directories.verify(child.directory))
            parts.queueScan(child);
          continue;
        }
        place.children?.delete(name);
        removePlace(child);
        gone.push(child.key);
      }
      for (const name of look.directories) {
        if (place.children?.has(name) === true) continue;
        const child = openChild(place, { name, real: childPath(path, name), baselineUntilNs: look.baselineUntilNs });
        if (child !== null) (place.children ??= new Map()).set(name, child);
      }
      gone.push(...memory.absentBelow(place.key));
      if (gone.length > 0) memory.forgetDirectories(gone, look.device);
    },
    close: () => {
      const place = places.get(rootKey);
      if (place !== undefined) removePlace(place);
      root.close();
    },
  };

  /** Directories without files of their own are recognized by those below. */
  function renumberAbove({ parentKey }: Place, { device, renumberedFrom }: EndedLook): void {
    if (renumberedFrom === null) return;
    let above = parentKey === null ? undefined : places.get(parentKey);
    while (above?.files.device === device) {
      above.files.renumber(renumberedFrom, device);
      above = above.parentKey === null ? undefined : places.get(above.parentKey);
    }
  }

  function openChild(
    place: Place,
    child: { readonly name: Bytes; readonly real: Bytes; readonly baselineUntilNs: bigint | null },
  ): Place | null {
    // asked before the path is touched
    if (parts.isRemote(child.real)) {
      remote.add(child.real);
      return null;
    }
    remote.delete(child.real);
    const stats = statLink(child.real);
    if (typeof stats === "string" || !stats.isDirectory() || parts.isOwn(stats)) return null;
    return addPlace(childPath(place.path, child.name), child.real, { key: place.key, ...child });
  }

  function addPlace(
    path: Bytes,
    real: Bytes,
    parent: { readonly key: string; readonly baselineUntilNs: bigint | null } | null,
  ): Place {
    const key = parts.hash.keyOf(path);
    const stored = memory.take(key);
    const baselineUntilNs = parent === null ? memory.baselineUntilNs : parent.baselineUntilNs;
    const place = new Place({
      owner,
      path,
      key,
      parentKey: parent?.key ?? null,
      isRecursive: parts.isRecursive,
      files: stored?.files ?? new DeviceFiles(),
      baselineUntilNs: stored === null ? baselineUntilNs : stored.baselineUntilNs,
      returned: () => memory.returnedTo(key),
    });
    places.set(key, place);
    if (stored === null) memory.noteUnread(place);
    place.directory = directories.use(real, place);
    parts.queueScan(place);
    return place;
  }

  /** Moves a place to another directory. What is known stays, and is compared with the files there. */
  function movePlace(place: Place, real: Bytes): void {
    for (const child of place.children?.values() ?? []) removePlace(child);
    place.children = null;
    place.dropCandidates();
    if (place.directory !== null) directories.leave(place.directory, place);
    place.directory = directories.use(real, place);
    parts.queueScan(place);
  }

  /** What is known of it is kept. */
  function removePlace(place: Place): void {
    for (const child of place.children?.values() ?? []) removePlace(child);
    if (place.directory !== null) directories.leave(place.directory, place);
    place.directory = null;
    places.delete(place.key);
    memory.keep(place);
  }
}
