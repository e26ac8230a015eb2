import { KnownFiles } from "../observing/known-files.ts";
import { readHanded } from "./handed-known.ts";
import { type DirectoryChange } from "../observing/frames.ts";
import { KnownStore } from "../observing/known-store.ts";
import type { NameHash } from "../observing/name-hash.ts";
import type { ReturnedNames } from "../observing/messages.ts";
import { namesByDirectory } from "./hand-over.ts";
import { discardNew, knownPathOf, listRunFiles, readRunFile, removeKnown, removeRunFiles } from "./run-files.ts";

/** The state of a run in the database: unfinished, ended, or ended before its first start. */
export interface RunStanding {
  readonly is: "live" | "ended" | "never_started";
  readonly watcherId: string;
}

export interface RecoverParts {
  /** Where the state of watchers is. */
  readonly folder: string;
  readonly runsFolder: string;
  readonly hash: NameHash;
  readonly standings: ReadonlyMap<string, RunStanding>;
  /** The watcher's observation now; null if it was deleted. */
  readonly observationOf: (watcherId: string) => number | null;
  /** Only files of these watchers: others may be in use. Null is for files of which the watcher is not known. */
  readonly isConcerned: (watcherId: string | null) => boolean;
}

/** Names that count as changed, by watcher. */
export type Returned = ReadonlyMap<string, ReturnedNames>;

/**
 * At a start, before anything is observed: what a crash left between the files of a run, its row, and what its watcher knows.
 * A stored run's files become known, unless they are already. Those of a run that was never stored, or never started, are
 * changes again.
 */
export function recoverRunFiles(parts: RecoverParts): Returned {
  const { folder, runsFolder, hash, standings, observationOf, isConcerned } = parts;
  const returned = new Map<string, Map<string, Uint32Array>>();
  for (const runId of listRunFiles(runsFolder)) {
    const standing = standings.get(runId);
    const handed = readHanded(knownPathOf(runsFolder, runId));
    if (!isConcerned(standing?.watcherId ?? handed?.of.watcherId ?? null)) continue;
    const names = namesByDirectory(hash, readRunFile(runsFolder, runId));
    if (standing === undefined) {
      // the files of a former observation were cancelled with it
      if (handed !== null && handed.of.observation === observationOf(handed.of.watcherId))
        giveBack(handed.of.watcherId, names);
    } else {
      const { watcherId } = standing;
      const observation = observationOf(watcherId);
      const store = new KnownStore(`${folder}/${watcherId}`);
      const state = observation === null ? null : store.load(observation);
      if (standing.is === "never_started") {
        if (state !== null) store.append(forgetting(names), state.runNumber);
        giveBack(watcherId, names);
      } else if (state !== null && handed?.of.observation === observation && state.runNumber < handed.of.runNumber)
        store.append(onlyNamed(handed.changes, names), handed.of.runNumber);
    }
    removeKnown(runsFolder, runId);
    if (standing?.is === "live") discardNew(runsFolder, runId);
    else removeRunFiles(runsFolder, runId);
  }
  return returned;

  function giveBack(watcherId: string, names: ReadonlyMap<string, Uint32Array>): void {
    const all = returned.get(watcherId) ?? new Map<string, Uint32Array>();
    for (const [key, words] of names) all.set(key, joinWords(all.get(key), words));
    returned.set(watcherId, all);
  }
}

function joinWords(first: Uint32Array | undefined, second: Uint32Array): Uint32Array {
  return first === undefined ? second : Uint32Array.from([...first, ...second]);
}

function forgetting(names: ReadonlyMap<string, Uint32Array>): readonly DirectoryChange[] {
  return [...names].map(([key, words]) => ({
    key,
    parentKey: null,
    device: null,
    baselineUntilNs: null,
    is: "forget",
    words,
  }));
}

/** A crash between the two renames of a joined run leaves states of paths that it was not given. */
function onlyNamed(
  changes: readonly DirectoryChange[],
  names: ReadonlyMap<string, Uint32Array>,
): readonly DirectoryChange[] {
  return changes.map((change) => {
    const kept = new KnownFiles(KnownFiles.of(change.words).words);
    kept.retain(KnownFiles.of(names.get(change.key) ?? new Uint32Array(0)));
    return { ...change, words: kept.words };
  });
}
