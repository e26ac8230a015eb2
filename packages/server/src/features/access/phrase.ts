import { createHash, timingSafeEqual } from "node:crypto";
import { randomBytes, randomIndex } from "../../kernel/random.ts";
import { words } from "./words.ts";

/** 77 bits: with five tries, too many to guess, so a plain hash is enough. */
const wordsOfPhrase = 6;
const saltBytes = 16;

/** What is stored of a phrase. */
export interface StoredPhrase {
  readonly salt: Buffer;
  readonly phraseHash: Buffer;
}

export interface NewPhrase {
  /** The phrase itself, which is shown once and never stored. */
  readonly phrase: string;
  readonly stored: StoredPhrase;
}

export function createPhrase(): NewPhrase {
  const chosen = Array.from({ length: wordsOfPhrase }, () => words[randomIndex(words.length)]!);
  // a few words of the list have a dash themselves
  const phrase = chosen.map((word) => word.replace("-", "")).join("-");
  const salt = randomBytes(saltBytes);
  return { phrase, stored: { salt, phraseHash: hashOf(phrase, salt) } };
}

/** Compared with the phrase of an unknown pairing, so that the answer takes as long as for a known one. */
const noPhrase = createPhrase().stored;

/** Compares a phrase with a stored one in constant time. Ignores case, spaces and dashes, because people type phrases. */
export function isPhraseOf(phrase: string, stored: StoredPhrase | undefined): boolean {
  const { salt, phraseHash } = stored ?? noPhrase;
  const isEqual = timingSafeEqual(hashOf(phrase, salt), phraseHash);
  return isEqual && stored !== undefined;
}

function hashOf(phrase: string, salt: Buffer): Buffer {
  const letters = phrase
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\s\p{Dash_Punctuation}]/gu, "");
  return createHash("sha256").update(salt).update(letters).digest();
}
