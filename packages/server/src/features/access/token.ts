import { wholeToken } from "@belfry/contract";
import { createHash, timingSafeEqual } from "node:crypto";
import { randomText } from "../../kernel/ids.ts";
import { randomBytes } from "../../kernel/random.ts";

const publicCharacters = 8;
/** 256 bits: too many to guess, so a plain hash is enough. */
const secretCharacters = 43;
const saltBytes = 16;

/** What is stored of a token. */
export interface StoredToken {
  readonly publicPart: string;
  readonly salt: Buffer;
  readonly tokenHash: Buffer;
}

export interface NewToken {
  /** The token itself, which is shown once and never stored. */
  readonly token: string;
  readonly stored: StoredToken;
}

export function createToken(): NewToken {
  const publicPart = randomText(publicCharacters);
  const token = `bat_${publicPart}_${randomText(secretCharacters)}`;
  const salt = randomBytes(saltBytes);
  return { token, stored: { publicPart, salt, tokenHash: hashOf(token, salt) } };
}

/** Returns the part by which the row of a token is found; null if the text does not have the form of a token. */
export function publicPartOf(token: string): string | null {
  return wholeToken.test(token) ? token.split("_")[1]! : null;
}

/**
 * Returns the token in the values of a request's `Authorization` headers: exactly one header, `Bearer`, one space, the
 * token, and nothing else. Null for anything else.
 */
export function readBearer(headers: readonly string[]): string | null {
  const [header] = headers;
  if (headers.length !== 1 || header === undefined || !header.startsWith("Bearer ")) return null;
  const token = header.slice("Bearer ".length);
  return publicPartOf(token) === null ? null : token;
}

/** Compared with the token of an unknown public part, so that the answer takes as long as for a known one. */
const noToken = createToken().stored;

/** Compares a token with a stored one in constant time. */
export function isTokenOf(token: string, stored: Pick<StoredToken, "salt" | "tokenHash"> | undefined): boolean {
  const { salt, tokenHash } = stored ?? noToken;
  const isEqual = timingSafeEqual(hashOf(token, salt), tokenHash);
  return isEqual && stored !== undefined;
}

function hashOf(token: string, salt: Buffer): Buffer {
  return createHash("sha256").update(salt).update(token).digest();
}
