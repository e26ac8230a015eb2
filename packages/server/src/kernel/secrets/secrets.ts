import { createCipheriv, createDecipheriv, createHash, createHmac } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { StartError } from "../errors/errors.ts";
import { replaceFile } from "../files/replace-file.ts";
import { randomBytes } from "../random.ts";
import { asFileStartError } from "../errors/start-error.ts";

/** Encrypts a value that must be read again. `context` binds it to its place, so that it cannot be moved to another. */
export interface Sealing {
  readonly seal: (plain: string, context: string) => Buffer;
  readonly open: (sealed: Buffer, context: string) => string;
  /** Identifies the key without revealing it. */
  readonly fingerprint: string;
  /** A key for another purpose, from which this one cannot be found. */
  readonly derive: (purpose: string) => Buffer;
}

const formatVersion = 1;
const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;

/** Seals with AES-256-GCM. A sealed value consists of version, nonce, tag and ciphertext. */
export function createSealing(key: Buffer): Sealing {
  return {
    fingerprint: createHash("sha256").update("belfry sealing key\0").update(key).digest("hex").slice(0, 32),
    derive: (purpose) => createHmac("sha256", key).update(`belfry ${purpose}`).digest(),
    seal: (plain, context) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes }).setAAD(
        Buffer.from(context),
      );
      const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return Buffer.concat([Buffer.of(formatVersion), nonce, cipher.getAuthTag(), body]);
    },
    open: (sealed, context) => {
      const nonce = sealed.subarray(1, 1 + nonceBytes);
      const tag = sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes);
      const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes })
        .setAAD(Buffer.from(context))
        .setAuthTag(tag);
      const body = sealed.subarray(1 + nonceBytes + tagBytes);
      return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
    },
  };
}

/** Reads the key, or creates it if there is none. It is synced to disk before anything is encrypted with it. */
export function loadSealingKey(path: string, options: { readonly mayCreate: boolean }): Buffer {
  if (!existsSync(path)) {
    if (!options.mayCreate)
      throw new StartError(
        `the sealing key ${path} of this database is missing: restore it from a backup, or move ${dirname(path)} away to start with an empty database`,
      );
    const key = randomBytes(keyBytes);
    writeSealingKey(path, key);
    return key;
  }
  const key = readKey(path);
  if (key.length !== keyBytes)
    throw new StartError(
      `the sealing key ${path} is damaged (${key.length} bytes instead of ${keyBytes}): restore it from a backup`,
    );
  return key;
}

export function writeSealingKey(path: string, key: Buffer): void {
  replaceFile(path, key);
}

function readKey(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw asFileStartError(error, path);
  }
}
