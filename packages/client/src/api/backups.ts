import type { BodyOf, OperationById } from "@belfry/contract";
import type { Caller } from "../caller.ts";
import type { CallOptions } from "../options.ts";

/** The body of `POST /v1/backup`. */
export type BackupCreate = BodyOf<OperationById<"backups.create">>;

/** Backups of the whole daemon. */
export class BackupsApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Makes a consistent copy while the daemon works, and resolves when the daemon has made and checked it, within an hour
   * by default. The stream is a tar archive. If it breaks, throw away what arrived. Without a `passphrase`, whoever can
   * read the archive can read every stored secret. `POST /v1/backup`
   *
   * @throws {@link ConflictError} if another backup is being made, or if the disk has no space for the copy
   * @throws {@link AuditUnavailableError} if the daemon cannot record the backup
   */
  create(backup: BackupCreate = {}, options?: CallOptions): Promise<ReadableStream<Uint8Array>> {
    return this.#caller.file("backups.create", { body: backup, options });
  }
}
