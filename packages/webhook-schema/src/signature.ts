import { isSameBytes } from "./constant-time.ts";

/** Standard Webhooks, symmetric: HMAC-SHA256 over `<id>.<timestamp>.<body>`, with the bytes after `whsec_` as the key. */
const version = "v1";
const secretPrefix = "whsec_";
const secretBytesMin = 24;
const secretBytesMax = 64;

/** The signed content. */
export interface SignedParts {
  readonly id: string;
  /** Whole seconds since 1970, as in the header. */
  readonly timestamp: string;
  readonly body: Uint8Array;
}

/**
 * Decodes one secret or several.
 *
 * @throws TypeError if there is no secret, or an invalid one: a mistake of the receiver, not of the sender.
 */
export function readSecrets(secret: unknown): readonly Uint8Array<ArrayBuffer>[] {
  const secrets: readonly unknown[] = Array.isArray(secret) ? secret : [secret];
  if (secrets.length === 0)
    throw new TypeError("The list of secrets is empty. To accept unsigned deliveries, omit `secret`.");
  return secrets.map((each) => {
    const key = typeof each === "string" && each.startsWith(secretPrefix) ? decodeBase64(each.slice(6)) : null;
    if (key === null || key.length < secretBytesMin || key.length > secretBytesMax) {
      throw new TypeError(
        'A secret must be "whsec_" and the base64 of 24 to 64 bytes. Check that the variable with the secret is set and complete.',
      );
    }
    return key;
  });
}

/** Creates one entry of `webhook-signature`: `v1,<base64>`. */
export async function sign(secret: Uint8Array<ArrayBuffer>, parts: SignedParts): Promise<string> {
  return `${version},${btoa(String.fromCharCode(...(await computeMac(secret, parts))))}`;
}

/** Whether any entry of the header matches any secret. Comparisons take constant time; entries of other versions are ignored. */
export async function isSignedBy(
  secrets: readonly Uint8Array<ArrayBuffer>[],
  header: string,
  parts: SignedParts,
): Promise<boolean> {
  const entries = header.split(" ").filter((entry) => entry.startsWith(`${version},`));
  const signatures = entries.map((entry) => decodeBase64(entry.slice(3))).filter((bytes) => bytes !== null);
  let isFound = false;
  for (const secret of secrets) {
    const mac = await computeMac(secret, parts);
    for (const signature of signatures) isFound = isSameBytes(mac, signature) || isFound;
  }
  return isFound;
}

async function computeMac(secret: Uint8Array<ArrayBuffer>, { id, timestamp, body }: SignedParts): Promise<Uint8Array> {
  const start = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(start.length + body.length);
  signed.set(start);
  signed.set(body, start.length);
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, signed));
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
