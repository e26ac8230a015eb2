import type { IdPrefix } from "@belfry/contract";
import { customAlphabet } from "nanoid";

const lettersAndDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const random = customAlphabet(lettersAndDigits, 20);

/** Creates random letters and digits with a generator that is safe for secrets. */
export const randomText: (characters: number) => string = customAlphabet(lettersAndDigits);

/** Creates an id. Ids are never parsed: order comes from `(created_at, id)`. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${random()}`;
}

/**
 * Whether a text has the form of an id that this daemon makes. Only the database knows whether such a resource exists.
 */
export function isId(text: string): boolean {
  return /^[a-z]{3}_[0-9A-Za-z]{20}$/.test(text);
}

const short = customAlphabet("0123456789abcdefghijklmnopqrstuvwxyz", 10);

/** Creates the id that names a runner's files. It is short, because a socket's path must be. */
export function newRunnerId(): string {
  return short();
}
