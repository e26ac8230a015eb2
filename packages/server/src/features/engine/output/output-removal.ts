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

/**
 * Removes the output of deleted runs. The write that deletes a run notes its attempts, and a later write of the engine
 * notes that their output is gone. So a crash in between does not leave the output on the disk.
 */
export function createOutputRemoval({ dataDir, log, outputs }: OutputRemovalParts) {
  let done: readonly string[] = [];

  const remove = (attemptIds: readonly string[]): void => {
    removeKept(dataDir, attemptIds).then(
      () => void (done = [...done, ...attemptIds]),
      (error: unknown) => log.warn("output.not_removed", { error: describeError(error) }),
    );
  };

  return {
    onRunDeleted: (_unit: Unit, { attemptIds }: { readonly attemptIds: readonly string[] }): void => {
      for (const id of attemptIds) outputs.insert(id);
    },
    remove,
    /** Repeats what a crash interrupted. */
    start: (): void => remove(outputs.list()),
    /** Notes in a write what has been removed; returns what to call after the commit. */
    note: (): (() => void) => {
      const noted = done;
      if (noted.length > 0) outputs.delete(noted);
      return () => void (done = done.slice(noted.length));
    },
  };
}
