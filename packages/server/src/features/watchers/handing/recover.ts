import { KnownFiles } from "../observing/known-files.ts";
import { syncFolder } from "../../../kernel/files/sync-folder.ts";
import { readHanded } from "./handed-known.ts";
import { type DirectoryChange } from "../observing/frames.ts";
import { KnownStore } from "../observing/known-store.ts";
import type { NameHash } from "../observing/name-hash.ts";
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

/**
 * At a start, before anything is observed: what a crash left between the files of a run, its row, and what its watcher knows.
 * A stored run's files become known, unless they are already. Those of a run that was never stored, or never started, are
 * changes again, which is on disk before the run's own files are removed.
 */
export function recoverRunFiles(parts: RecoverParts): void {
  const { folder, runsFolder, hash, standings, observationOf, isConcerned } = parts;
  let isRemoved = false;
  for (const runId of listRunFiles(runsFolder)) {
    const standing = standings.get(runId);
    const handed = readHanded(knownPathOf(runsFolder, runId));
    const watcherId = standing?.watcherId ?? handed?.of.watcherId ?? null;
    if (!isConcerned(watcherId)) continue;
    if (watcherId !== null) recover(runId, watcherId, { standing, handed });
    removeKnown(runsFolder, runId);
    if (standing?.is === "live") discardNew(runsFolder, runId);
    else removeRunFiles(runsFolder, runId);
    isRemoved = true;
  }
  // a power failure must not bring them back
  if (isRemoved) syncFolder(runsFolder);

  function recover(
    runId: string,
    watcherId: string,
    of: { readonly standing: RunStanding | undefined; readonly handed: ReturnType<typeof readHanded> },
  ): void {
    const { standing, handed } = of;
    const observation = observationOf(watcherId);
    const store = new KnownStore(`${folder}/${watcherId}`);
    const state = observation === null ? null : store.load(observation);
    if (state === null) return;
    const names = namesByDirectory(hash, readRunFile(runsFolder, runId));
    if (standing?.is === "never_started") return store.return(names);
    // the files of a former observation were cancelled with it
    if (handed?.of.observation !== observation) return;
    // its list may also name files of the run that it was to replace
    if (standing === undefined) store.return(wordsByKey(onlyNamed(handed.changes, names)));
    else if (state.runNumber < handed.of.runNumber) store.append(onlyNamed(handed.changes, names), handed.of.runNumber);
  }
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

function wordsByKey(changes: readonly DirectoryChange[]): ReadonlyMap<string, Uint32Array> {
  return new Map(changes.map(({ key, words }) => [key, words]));
}
