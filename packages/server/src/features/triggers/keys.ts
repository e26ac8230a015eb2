import { createHash } from "node:crypto";
import { randomText } from "../../kernel/ids.ts";
import type { Sealing } from "../../kernel/secrets/secrets.ts";
import type { TriggerRow } from "./table.ts";

const publicCharacters = 8;
/** 190 bits: too many to guess, so a plain hash is enough for the lookup. */
const secretCharacters = 32;

export type KeyColumns = Pick<TriggerRow, "keyPrefix" | "keyHash" | "keySealed">;
export type Keys = ReturnType<typeof createKeys>;

/** Creates keys, encrypts them for their trigger, and decrypts them only to reveal them. */
export function createKeys(sealing: Sealing) {
  const contextOf = (triggerId: string): string => `trigger:${triggerId}:key`;
  return {
    mint: (triggerId: string): KeyColumns => {
      const keyPrefix = `bfk_${randomText(publicCharacters)}`;
      const key = `${keyPrefix}_${randomText(secretCharacters)}`;
      return { keyPrefix, keyHash: hashKey(key), keySealed: sealing.seal(key, contextOf(triggerId)) };
    },
    open: (row: Pick<TriggerRow, "id" | "keySealed">): string => sealing.open(row.keySealed, contextOf(row.id)),
  };
}

export function hashKey(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
