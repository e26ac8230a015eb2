import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { BackupCreate } from "@belfry/contract";
import { AppError } from "../../kernel/errors/errors.ts";
import type { StreamAnswer } from "../../kernel/operation.ts";
import { systemClock } from "../../kernel/time/clock.ts";
import { paced } from "../../kernel/time/pace.ts";
import { formatInstant, type Instant } from "../../kernel/time/time.ts";
import { bytesPart, type Part, readFileInParts, textPart, writeArchive } from "./archive.ts";
import { type CopyDeps, copyData, type DataCopy } from "./copy-data.ts";
import { databaseName, descriptionName, keyName, outputForm, outputPrefix, sealedKeyName } from "./description.ts";
import { refuseSlowReader } from "./slow-reader.ts";

export interface BackupDeps extends CopyDeps {
  readonly paths: CopyDeps["paths"] & { readonly attempts: string };
}

/** Who asked for a backup, and when. */
export interface BackupCall {
  readonly now: Instant;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
}

interface PreparedBackup {
  readonly commit: () => StreamAnswer;
  readonly undo: () => Promise<void>;
}

export type Backups = ReturnType<typeof createBackups>;

/** Makes backups one at a time: each needs space for a copy of the database, and keeps its write-ahead log from shrinking. */
export function createBackups(deps: BackupDeps) {
  const stopping = new AbortController();
  let current: { readonly since: Instant } | null = null;

  return {
    /** Copies the data, and makes the archive from the copy while the caller reads it. */
    prepare: async (request: BackupCreate, { now, signal }: BackupCall): Promise<PreparedBackup> => {
      requireNone();
      const own = (current = { since: now });
      const free = (): void => void (current === own && (current = null));
      const leaving = AbortSignal.any([signal, stopping.signal]);
      let copy: DataCopy;
      try {
        copy = await copyData(deps, request, { now, signal: leaving });
      } catch (error) {
        free();
        throw error;
      }
      const end = async (): Promise<void> => {
        free();
        await copy.remove();
      };
      // a caller that leaves before the first byte never reads the archive to its end
      if (leaving.aborted) await end();
      leaving.addEventListener("abort", () => void end(), { once: true });
      const chunks = readArchiveOf(copy, { withOutput: request.output, end });
      return { commit: () => ({ kind: "bytes", chunks }), undo: end };
    },
    /** Ends a backup that is being made. */
    stop: (): void => stopping.abort(new Error("the daemon is stopping")),
  };

  function requireNone(): void {
    if (current !== null)
      throw new AppError(
        "conflict",
        `another backup has been in progress since ${formatInstant(current.since)}: wait until it has ended`,
      );
  }

  async function* readArchiveOf(
    copy: DataCopy,
    { withOutput, end }: { readonly withOutput: boolean; readonly end: () => Promise<void> },
  ): AsyncGenerator<Uint8Array> {
    try {
      yield* refuseSlowReader(paced(writeArchive(listParts(copy, withOutput)), systemClock), systemClock);
    } finally {
      await end();
    }
  }

  async function* listParts({ description, key, database }: DataCopy, withOutput: boolean): AsyncGenerator<Part> {
    yield textPart(descriptionName, JSON.stringify(description, null, 2));
    yield bytesPart(description.key_sealing === null ? keyName : sealedKeyName, key);
    yield await filePart(databaseName, database);
    if (withOutput) yield* listOutput(join(deps.paths.attempts, "kept"));
  }
}

/**
 * The files of ended attempts, which no longer change. Retention may remove them meanwhile. A file that cannot be read for
 * another reason ends the backup: without it, the backup would look complete. What other programs left there, such as the
 * file of an editor, is no output, and a restore would refuse it.
 */
async function* listOutput(kept: string): AsyncGenerator<Part> {
  for (const spread of await readdir(kept).catch(unlessRemoved([]))) {
    for (const attempt of await readdir(join(kept, spread)).catch(unlessRemoved([]))) {
      const entries = await readdir(join(kept, spread, attempt), { withFileTypes: true }).catch(unlessRemoved([]));
      for (const entry of entries) {
        const path = [spread, attempt, entry.name].join("/");
        const name = `${outputPrefix}${path}`;
        if (!outputForm.test(name) || !(entry.isFile() || entry.isSymbolicLink())) continue;
        const part = await filePart(name, join(kept, path)).catch(unlessRemoved(null));
        if (part !== null) yield part;
      }
    }
  }
}

/** Returns the value instead of a path that is gone, or that is a file in the place of a folder. */
function unlessRemoved<T>(value: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return value;
    throw error;
  };
}

/** Opens the file at once: its bytes can be read even if it is removed meanwhile. */
async function filePart(name: string, path: string): Promise<Part> {
  const file = await open(path);
  const { size } = await file.stat();
  return { name, size, content: readFileInParts(file, size), close: () => file.close() };
}
