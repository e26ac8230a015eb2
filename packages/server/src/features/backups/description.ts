import type { KeySealing } from "./sealed-key.ts";

/** The first file of an archive: how to read the others. */
export interface Description {
  readonly format: 1;
  readonly version: string;
  readonly created_at: string;
  readonly installation_id: string;
  readonly with_output: boolean;
  /** Null if the sealing key is in the archive as it is. */
  readonly key_sealing: KeySealing | null;
}

export const descriptionName = "belfry-backup.json";
export const keyName = "sealing.key";
export const sealedKeyName = "sealing.key.sealed";
export const databaseName = "belfry.db";
/** Followed by the path of a file below `attempts/kept`. */
export const outputPrefix = "attempts/kept/";
/** The name of a file of output: no part of it can lead out of the folder. */
export const outputForm = /^attempts\/kept\/[\w-]+\/[\w-]+\/[\w-][\w.-]*$/;
