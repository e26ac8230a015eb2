import { type Invitation, parseInvitation } from "@belfry/contract";
import { createHash } from "node:crypto";

/** The fingerprint of what a client of this invitation will trust: of the root, or of the public key. Null if it is not complete. */
export function fingerprintOf(invitation: string): string | null {
  const parsed: Invitation | null = parseInvitation(invitation);
  if (parsed === null) return null;
  const { trust } = parsed;
  return trust.kind === "key" ? trust.publicKeySha256 : createHash("sha256").update(trust.certificate).digest("hex");
}
