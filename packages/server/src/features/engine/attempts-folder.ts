import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { randomText } from "../../kernel/ids.ts";
import { invariant } from "../../kernel/errors/invariant.ts";
import { makePrivate } from "../../kernel/files/paths.ts";
import { liveFolder } from "../../runner/places.ts";
import { isMissing } from "../../runner/system-error.ts";

export type AttemptsFolder = ReturnType<typeof createAttemptsFolder>;

/** Why an attempt has no claim. `boot`: it belongs to another boot. `folder`: its claim was removed with its folder. */
export type Unclaimed = "boot" | "folder" | "never_ordered";

interface StoredAttempt {
  readonly origin: string;
  readonly startedAt: number | null;
}

const idLength = 16;

/**
 * Manages `attempts/` and the id that the folder gets when it is created. Each attempt is stored with that id, which
 * shows whether a missing claim was removed with the folder or was never made. Only in the second case may the attempt
 * be ordered again.
 */
export function createAttemptsFolder(dataDir: string, bootId: string) {
  const live = liveFolder(dataDir);
  const folder = dirname(live);
  const idFile = join(folder, "id");
  let open: { readonly id: string; readonly inode: number } | null = null;

  function make({ isNew }: { readonly isNew: boolean }): void {
    makePrivate(folder);
    if (isNew || readId() === null || inodeOf(live) === null) {
      // the id first: a crash in between must not leave a new folder with the former id
      writeFileSync(`${idFile}.new`, randomText(idLength), { mode: 0o600, flush: true });
      renameSync(`${idFile}.new`, idFile);
      mkdirSync(live, { recursive: true, mode: 0o700 });
    }
    makePrivate(live);
    open = { id: readId()!, inode: inodeOf(live)! };
  }

  function readId(): string | null {
    try {
      return readFileSync(idFile, "utf8") || null;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  function currentOrigin(): string {
    invariant(open !== null, "the folder of the attempts is open");
    return `${bootId}/${open.id}`;
  }

  return {
    open: (): void => make({ isNew: false }),
    /** The origin to store with an attempt that is dispatched now. */
    origin: currentOrigin,
    /** Creates the folder again if it was removed; returns whether it was. */
    restore: (): boolean => {
      const inode = inodeOf(live);
      if (open !== null && inode === open.inode && readId() === open.id) return false;
      make({ isNew: inode !== open?.inode });
      return true;
    },
    explainUnclaimed: ({ origin, startedAt }: StoredAttempt): Unclaimed => {
      // former versions stored only the boot
      const isOfBoot = origin === bootId || origin.startsWith(`${bootId}/`);
      if (!isOfBoot) return "boot";
      // a runner claims before it starts, so an attempt that has started had a claim
      const hadClaim = startedAt !== null;
      return hadClaim || (origin !== bootId && origin !== currentOrigin()) ? "folder" : "never_ordered";
    },
  };
}

function inodeOf(folder: string): number | null {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true ? found.ino : null;
}
