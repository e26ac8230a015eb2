import type { BigIntStats } from "node:fs";
import type { Directories, Directory } from "./directories.ts";
import { type Trust, writeFingerprint } from "./fingerprint.ts";
import { KnownFiles, wordsPerFile } from "./known-files.ts";
import type { Bytes, NameHash } from "./name-hash.ts";
import { Place } from "./place.ts";
import { childPath, listDirectory, type ListedName, type ReadFailure, statLink, statTarget } from "./read-directory.ts";

export interface ScanParts {
  readonly directories: Directories;
  readonly hash: NameHash;
  readonly trust: Trust;
  readonly nowMs: () => number;
  /** Whether a link leads to a directory; asked before a link counts as a file. */
  readonly leadsToDirectory: (path: Bytes) => boolean;
}

/** `all` reads the state of every file. `names` reads that of new files and candidates only, and finds those that are gone. */
export type ScanDepth = "all" | "names";

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

    const words = new Uint32Array(listed.length * wordsPerFile);
    const children = new Set<Bytes>();
    const present = new Set<Bytes>();
    for (let index = 0; index < listed.length; index++) {
      if (index % filesPerStep === filesPerStep - 1) yield;
      const entry = listed[index]!;
      const at = index * wordsPerFile;
      hash.write(entry.name, words, at);
      if (entry.is === "directory") children.add(entry.name);
      else if (seeEntry(directory, { places, entry, depth, atMs: parts.nowMs() }, { words, at }) === "directory")
        children.add(entry.name);
      present.add(entry.name);
    }
    const found = KnownFiles.of(words);
    const distinct: KnownFiles[] = [];
    for (const place of places) {
      // a watcher may have left during a pause
      if (place.directory !== directory) continue;
      place.endLook(words, { device, present: found, hasName: (name) => present.has(name), directories: children });
      // watchers of one directory mostly know the same
      if (!distinct.some((known) => place.known.shareWith(known))) distinct.push(place.known);
    }
  }

  /** A look at a few names, which forgets none: a file that is being replaced may be missing for a moment. */
  function lookAtNames(directory: Directory, names: Iterable<Bytes>): "done" | "scan" {
    const places = placesOf(directory);
    for (const name of names) {
      hash.write(name, one, 0);
      const entry = { name, is: "unknown" } as const;
      // a directory that came or went concerns the whole tree below
      if (
        seeEntry(directory, { places, entry, depth: "all", atMs: directory.hintedAtMs }, { words: one, at: 0 }) ===
        "directory"
      )
        return "scan";
    }
    return "done";
  }

  function seeEntry(
    directory: Directory,
    of: {
      readonly places: readonly Place[];
      readonly entry: ListedName;
      readonly depth: ScanDepth;
      readonly atMs: number;
    },
    into: { readonly words: Uint32Array; readonly at: number },
  ): "directory" | "seen" {
    const { entry, depth, places } = of;
    const { name } = entry;
    if (entry.is === "other") return "seen";
    let stats: BigIntStats | ReadFailure | null = null;
    const path = childPath(directory.path, name);
    if (entry.is === "unknown") {
      stats = statLink(path);
      if (typeof stats === "string") {
        for (const place of places) place.dropCandidate(name);
        return places.some((place) => place.children?.has(name) === true) ? "directory" : "seen";
      }
      if (stats.isDirectory()) return places.some((place) => place.isRecursive) ? "directory" : "seen";
    }
    for (const place of places) {
      if (!place.owner.selects(name)) continue;
      if (depth === "names" && !place.isOpenQuestion(name, into.words, into.at)) continue;
      stats ??= statLink(path);
      if (typeof stats === "string") continue;
      if (!stats.isFile() && !(stats.isSymbolicLink() && !parts.leadsToDirectory(path))) return "seen";
      writeFingerprint(into.words, into.at + 2, { stats, trust });
      place.see(name, into.words, { at: into.at, stats, atMs: of.atMs });
    }
    return "seen";
  }
}

function placesOf(directory: Directory): readonly Place[] {
  return [...directory.users].filter((user) => user instanceof Place);
}
