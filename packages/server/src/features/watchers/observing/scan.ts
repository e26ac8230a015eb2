import type { BigIntStats } from "node:fs";
import type { Directories, Directory } from "./directories.ts";
import { type Trust, writeFingerprint } from "./fingerprint.ts";
import { KnownFiles, wordsPerFile } from "./known-files.ts";
import type { Bytes, NameHash } from "./name-hash.ts";
import { Place, type ScanDepth } from "./place.ts";
import { childPath, listDirectory, type ListedName, type ReadFailure, statLink, statTarget } from "./read-directory.ts";

export interface ScanParts {
  readonly directories: Directories;
  readonly hash: NameHash;
  readonly trust: Trust;
  readonly nowMs: () => number;
  /** Whether it can be a changed file: a regular one, or a link that does not lead to a directory. */
  readonly isFile: (path: Bytes, stats: BigIntStats) => boolean;
  /** Asked at each look: a mount may have put the daemon's own files here. */
  readonly isOwn: (identity: { readonly dev: bigint; readonly ino: bigint }) => boolean;
  /** Another directory may have this place's path now. */
  readonly queueScan: (place: Place) => void;
}

/** How many files are read between two pauses of a scan. */
const filesPerStep = 256;

export type Scanner = ReturnType<typeof createScanner>;

/** Looks at directories. A look is a generator, so that a long one can pause: it may be left and continued at each step. */
export function createScanner(parts: ScanParts) {
  const { hash, trust } = parts;
  const one = new Uint32Array(wordsPerFile);

  return { scan, lookAtNames };

  /** A complete look at one directory, for all watchers that observe it. */
  function* scan(directory: Directory, depth: ScanDepth): Generator<void> {
    const places = placesOf(directory);
    if (places.length === 0) return;
    const before = statTarget(directory.path);
    if (typeof before === "string") return places.forEach((place) => place.fail(before));
    if (parts.isOwn(before)) return places.forEach((place) => place.fail("denied"));
    if (!before.isDirectory()) return places.forEach((place) => place.fail("not_directory"));
    parts.directories.verify(directory);
    directory.takeHints();
    directory.isBeingScanned = true;
    try {
      yield* readFiles(directory, { places, depth, device: before.dev });
    } finally {
      directory.isBeingScanned = false;
    }
  }

  function* readFiles(
    directory: Directory,
    of: { readonly places: readonly Place[]; readonly depth: ScanDepth; readonly device: bigint },
  ): Generator<void> {
    const { places, depth, device } = of;
    const listed = listDirectory(directory.path);
    if (typeof listed === "string") return places.forEach((place) => place.fail(listed));

    for (const place of places) place.beginLook();
    const words = new Uint32Array(listed.length * wordsPerFile);
    const children = new Set<Bytes>();
    const present = new Set<Bytes>();
    for (let index = 0; index < listed.length; index++) {
      if (index % filesPerStep === filesPerStep - 1) yield;
      const entry = listed[index]!;
      const at = index * wordsPerFile;
      hash.write(entry.name, words, at);
      const seen = { places, entry, depth, atMs: parts.nowMs(), isScanned: true };
      if (seeEntry(directory, seen, { words, at }) === "directory") children.add(entry.name);
      present.add(entry.name);
    }
    const found = KnownFiles.of(words);
    const distinct: KnownFiles[] = [];
    for (const place of places) {
      // a watcher may have left during a pause
      if (place.directory !== directory) continue;
      place.endLook(words, {
        device,
        present: found,
        hasName: (name) => present.has(name),
        directories: children,
        depth,
      });
      // watchers of one directory mostly know the same
      const { current } = place.files;
      if (!distinct.some((known) => current.shareWith(known))) distinct.push(current);
    }
  }

  /** A look at a few names, which forgets none: a file that is being replaced may be missing for a moment. */
  function lookAtNames(directory: Directory, names: Iterable<Bytes>): "done" | "scan" {
    const places = placesOf(directory);
    // what could not be read, or may not be, is asked for as a whole
    if (places.some(({ failure }) => failure !== null)) return "scan";
    const of = { places, depth: "all", atMs: directory.hintedAtMs, isScanned: false } as const;
    let outcome: "done" | "scan" = "done";
    for (const name of names) {
      hash.write(name, one, 0);
      const entry = { name, is: "unknown" } as const;
      if (seeEntry(directory, { ...of, entry }, { words: one, at: 0 }) === "seen") continue;
      // a directory that came, went, or was replaced concerns the whole tree below; the other names are looked at here alone
      outcome = "scan";
      for (const { children } of places) {
        const child = children?.get(name);
        if (child !== undefined) parts.queueScan(child);
      }
    }
    return outcome;
  }

  function seeEntry(
    directory: Directory,
    of: {
      readonly places: readonly Place[];
      readonly entry: ListedName;
      readonly depth: ScanDepth;
      readonly atMs: number;
      readonly isScanned: boolean;
    },
    into: { readonly words: Uint32Array; readonly at: number },
  ): "directory" | "seen" {
    const { entry, depth, places, atMs, isScanned } = of;
    const { name } = entry;
    if (entry.is === "other") return "seen";
    const isEntered = !name.startsWith(".") && places.some((place) => place.isRecursive);
    if (entry.is === "directory") return isEntered ? "directory" : "seen";
    let stats: BigIntStats | ReadFailure | null = null;
    const path = childPath(directory.path, name);
    if (entry.is === "unknown") {
      stats = statLink(path);
      if (typeof stats === "string") {
        for (const place of places) place.dropCandidate(name);
        // a change of the directory itself, such as of its permissions, comes under its own name
        const isItself = directory.path.endsWith(`/${name}`) || stats !== "gone";
        return isItself || places.some((place) => place.children?.has(name) === true) ? "directory" : "seen";
      }
      if (stats.isDirectory()) return isEntered ? "directory" : "seen";
    }
    for (const place of places) {
      if (!place.owner.selects(name)) continue;
      if (depth === "names" && !place.isOpenQuestion(name, into.words, into.at)) continue;
      stats ??= statLink(path);
      if (typeof stats === "string") continue;
      if (!parts.isFile(path, stats)) return "seen";
      writeFingerprint(into.words, into.at + 2, { stats, trust });
      place.see(name, into.words, { at: into.at, stats, atMs, isScanned });
    }
    return "seen";
  }
}

function placesOf(directory: Directory): readonly Place[] {
  return [...directory.users].filter((user) => user instanceof Place);
}
