import { type FileHandle, mkdir, open, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { BackupCreate } from "@belfry/contract";
import { newId } from "../../kernel/ids.ts";
import type { Paths } from "../../kernel/files/paths.ts";
import { copyDatabase } from "../../kernel/storage/copy-database.ts";
import { formatInstant, type Instant } from "../../kernel/time/time.ts";
import { bytesPart, type Part, textPart, writeArchive } from "./archive.ts";
import {
  databaseName,
  type Description,
  descriptionName,
  keyName,
  outputPrefix,
  sealedKeyName,
} from "./description.ts";
import { sealKey } from "./sealed-key.ts";

export interface BackupDeps {
  readonly paths: Pick<Paths, "database" | "sealingKey" | "attempts" | "backup">;
  readonly version: string;
  readonly identity: () => string;
}

export type Backups = ReturnType<typeof createBackups>;

const chunkBytes = 64 * 1024;

export function createBackups({ paths, version, identity }: BackupDeps) {
  const stopping = new AbortController();

  return {
    /** Returns the archive, which is made while it is read. */
    create: (request: BackupCreate, now: Instant): AsyncIterable<Uint8Array> => writeArchive(listParts(request, now)),
    /** Ends a backup that is being made. */
    stop: (): void => stopping.abort(new Error("the daemon is stopping")),
  };

  async function* listParts({ passphrase, output }: BackupCreate, now: Instant): AsyncGenerator<Part> {
    const copy = join(paths.backup, newId("req"));
    try {
      const key = await readFile(paths.sealingKey);
      const sealed = passphrase === null ? null : await sealKey(key, passphrase);
      const description: Description = {
        format: 1,
        version,
        created_at: formatInstant(now),
        installation_id: identity(),
        with_output: output,
        key_sealing: sealed?.sealing ?? null,
      };
      yield textPart(descriptionName, JSON.stringify(description, null, 2));
      yield sealed === null ? bytesPart(keyName, key) : bytesPart(sealedKeyName, sealed.sealed);
      await mkdir(paths.backup, { recursive: true, mode: 0o700 });
      await copyDatabase({ from: paths.database, to: copy }, stopping.signal);
      yield await filePart(databaseName, copy);
      if (output) yield* listOutput(join(paths.attempts, "kept"));
    } finally {
      await rm(copy, { force: true });
    }
  }
}

/** The files of ended attempts, which no longer change. Retention may remove them meanwhile. */
async function* listOutput(kept: string): AsyncGenerator<Part> {
  for (const spread of await readdir(kept).catch(() => [])) {
    for (const attempt of await readdir(join(kept, spread)).catch(() => [])) {
      for (const name of await readdir(join(kept, spread, attempt)).catch(() => [])) {
        const path = [spread, attempt, name].join("/");
        const part = await filePart(`${outputPrefix}${path}`, join(kept, path)).catch(() => null);
        if (part !== null) yield part;
      }
    }
  }
}

/** Opens the file at once: its bytes can be read even if it is removed meanwhile. */
async function filePart(name: string, path: string): Promise<Part> {
  const file = await open(path);
  const { size } = await file.stat();
  return { name, size, content: readAll(file, size) };
}

async function* readAll(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  try {
    for (let at = 0; at < size;) {
      const { buffer, bytesRead } = await file.read(
        Buffer.allocUnsafe(chunkBytes),
        0,
        Math.min(chunkBytes, size - at),
        at,
      );
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}
