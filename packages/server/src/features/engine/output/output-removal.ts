import { describeError } from "../../../kernel/errors/errors.ts";
import type { Log } from "../../../kernel/log/log.ts";
import type { Unit } from "../../../kernel/storage/write.ts";
import { removeKept } from "./output-sweep.ts";
import type { RemovedOutputs } from "../store.ts";

export interface OutputRemovalParts {
  readonly dataDir: string;
  readonly log: Log;
  readonly outputs: RemovedOutputs;
}

/** One write notes so many removals at most. Others wait for it, and a thousand take some milliseconds. */
export const notedMax = 1_000;
/** So many folders are removed at once of those that a former daemon left. */
const leftAtOnce = 100;

/**
 * Removes the output of deleted runs. The write that deletes a run notes its attempts, and a later write of the engine
 * notes that their output is gone. So a crash in between does not leave the output on the disk.
 */
export function createOutputRemoval({ dataDir, log, outputs }: OutputRemovalParts) {
  /** Removed from the disk, but not noted yet. A cleanup can delete hundreds of thousands of runs between two writes. */
  const done = new Set<string>();

  const remove = async (attemptIds: readonly string[]): Promise<void> => {
    try {
      await removeKept(dataDir, attemptIds);
      for (const id of attemptIds) done.add(id);
    } catch (error) {
      log.warn("output.not_removed", { error: describeError(error) });
    }
  };

  const removeLeft = async (attemptIds: readonly string[]): Promise<void> => {
    for (let from = 0; from < attemptIds.length; from += leftAtOnce) {
      await remove(attemptIds.slice(from, from + leftAtOnce));
    }
  };

  return {
    onRunDeleted: (_unit: Unit, { attemptIds }: { readonly attemptIds: readonly string[] }): void => {
      for (const id of attemptIds) outputs.insert(id);
    },
    remove: (attemptIds: readonly string[]): void => void remove(attemptIds),
    /** Repeats what a crash interrupted. */
    start: (): void => void removeLeft(outputs.list()),
    /** Notes in a write what has been removed; returns what to call after the commit. */
    note: (): (() => void) => {
      const noted: string[] = [];
      for (const id of done) if (noted.push(id) === notedMax) break;
      if (noted.length > 0) outputs.delete(noted);
      return () => {
        for (const id of noted) done.delete(id);
      };
    },
  };
}
