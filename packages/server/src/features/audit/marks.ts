import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import type { Sealing } from "../../kernel/secrets/secrets.ts";
import type { Instant } from "../../kernel/time/time.ts";

/** One end of the chain: a row's number and hash. */
export interface Mark {
  readonly number: number;
  readonly hash: string;
}

/** The newest row, and what is known of the whole trail. `number` is 0 before the first row. */
export interface Head {
  readonly number: number;
  readonly hash: string | null;
  readonly authenticatedSince: Instant;
  /** When a change by another program was first found. */
  readonly tamperedAt: Instant | null;
}

type Sealed<T> = T & { readonly mac: Buffer };

export type MarkSeal = ReturnType<typeof createMarkSeal>;

/**
 * Authenticates both ends of the chain with a key that the database does not contain. A program that can only write the
 * database can compute every hash, but neither of these codes.
 */
export function createMarkSeal(sealing: Sealing) {
  // a key object, because Node prepares a buffer anew for each code, which takes four times as long
  const key = createSecretKey(sealing.derive("audit marks"));
  const macOf = (...members: readonly (string | number | null)[]): Buffer =>
    createHmac("sha256", key).update(JSON.stringify(members)).digest();
  const ofHead = (head: Head): Buffer =>
    macOf("head", head.number, head.hash, head.authenticatedSince, head.tamperedAt);
  const ofAnchor = ({ number, hash }: Mark): Buffer => macOf("anchor", number, hash);

  return {
    sealHead: (head: Head): Sealed<Head> => ({ ...head, mac: ofHead(head) }),
    sealAnchor: ({ number, hash }: Mark): Sealed<Mark> => ({ number, hash, mac: ofAnchor({ number, hash }) }),
    isGenuineHead: (row: Sealed<Head>): boolean => isEqual(row.mac, ofHead(row)),
    isGenuineAnchor: (row: Sealed<Mark>): boolean => isEqual(row.mac, ofAnchor(row)),
  };
}

function isEqual(mac: Buffer, expected: Buffer): boolean {
  return mac.length === expected.length && timingSafeEqual(mac, expected);
}
