import { createHash, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import * as tls from "node:tls";
import { serverNameOf } from "@belfry/contract/remote";
import type { RemoteTrust } from "../remote-client/profile.ts";

/** The code of the error for a trusted certificate with another public key than the pinned one. */
export const keyNotPinned = "KEY_NOT_PINNED";

type PinOptions = Pick<tls.ConnectionOptions, "ca" | "servername" | "checkServerIdentity">;

/**
 * Returns the options of a TLS connection that accept only the daemon:
 *
 * - by its own root: no other authority is trusted, and the certificate must name the installation;
 * - by its key: the authority of the profile is trusted, or else those of the system, and the public key must be the
 *   pinned one. The key is stronger than a name, so the names in the certificate are not compared.
 */
export function pinOf(trust: RemoteTrust, daemonId: string, host: string): PinOptions {
  if (trust.kind === "root") return { ca: trust.certificate, servername: serverNameOf(daemonId) };
  return {
    ca: trust.authority ?? systemAuthorities(),
    // an IP address is not allowed as a server name
    servername: isIP(host) === 0 ? host : "",
    checkServerIdentity: (_, certificate) =>
      publicKeySha256(certificate.raw) === trust.publicKeySha256 ? undefined : new KeyNotPinnedError(),
  };
}

class KeyNotPinnedError extends Error {
  readonly code = keyNotPinned;
}

/** `getPeerCertificate().pubkey` is not the SubjectPublicKeyInfo, so the key is read from the certificate again. */
function publicKeySha256(certificate: Uint8Array): string {
  const key = new X509Certificate(certificate).publicKey.export({ type: "spki", format: "der" });
  return createHash("sha256").update(key).digest("hex");
}

/** Node's authorities and those of the system, which Node itself does not trust. Node 22.14 and older cannot read the latter. */
function systemAuthorities(): string[] {
  if (typeof tls.getCACertificates !== "function") return [...tls.rootCertificates];
  return [...tls.getCACertificates("default"), ...tls.getCACertificates("system")];
}
