import type { IdPrefix } from "@belfry/contract";
import { customAlphabet } from "nanoid";

const lettersAndDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const random = customAlphabet(lettersAndDigits, 20);

/** Letters and digits by a generator fit for secrets. */
export const randomText: (characters: number) => string = customAlphabet(lettersAndDigits);

/** A fresh id, never parsed for meaning: order comes from `(created_at, id)`. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${random()}`;
}

/** Whether a text has the form of an id that this daemon makes; what it names is for the database to say. */
export function isId(text: string): boolean {
  return /^[a-z]{3}_[0-9A-Za-z]{20}$/.test(text);
}

const short = customAlphabet("0123456789abcdefghijklmnopqrstuvwxyz", 10);

/** Names a runner's files; short, because a socket's path must be. */
export function newRunnerId(): string {
  return short();
}
