import { createHmac, timingSafeEqual } from "node:crypto";
import { usage } from "../failure.ts";

interface Signed {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: string;
  readonly body: string;
}

/** As Standard Webhooks sign: `v1,` and the HMAC of id, time and body in base64. */
export function signatureOf(signed: Signed, secret: string): string {
  if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)) throw usage("a signing secret is whsec_ and base64");
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  return `v1,${createHmac("sha256", key).update(`${signed.id}.${signed.timestamp}.${signed.body}`).digest("base64")}`;
}

/** Whether one of the signatures, separated by blanks, is by this secret. */
export function isSignedBy(secret: string, signatures: string, signed: Signed): boolean {
  const expected = Buffer.from(signatureOf(signed, secret));
  return signatures.split(" ").some((signature) => {
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
