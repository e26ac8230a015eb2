import { createHash, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import * as tls from "node:tls";
import { serverNameOf } from "@belfry/contract/remote";
import type { RemoteTrust } from "../remote-client/profile.ts";

/** The code of the error for a trusted certificate with another public key than the pinned one. */
export const keyNotPinned = "KEY_NOT_PINNED";

/** The only version of TLS that clients speak. */
export const tlsVersion = "TLSv1.3";

/** The options of a TLS connection to a host, which accept only the daemon. */
export type Pin = (host: string) => Pick<tls.ConnectionOptions, "secureContext" | "servername" | "checkServerIdentity">;

/**
 * Creates the options that accept only the daemon:
 *
 * - by its own root: no other authority is trusted, and the certificate must name the installation;
 * - by its key: the authority of the profile is trusted, or else those of the system, and the public key must be the
 *   pinned one. The key is stronger than a name, so the names in the certificate are not compared.
 */
export function createPin(trust: RemoteTrust, daemonId: string): Pin {
  if (trust.kind === "root") {
    const secureContext = createContext(readCertificates(trust.certificate));
    return () => ({ secureContext, servername: serverNameOf(daemonId) });
  }
  const secureContext = createContext(
    trust.authority === undefined ? systemAuthorities() : readCertificates(trust.authority),
  );
  return (host) => ({
    secureContext,
    // an IP address is not allowed as a server name
    servername: isIP(host) === 0 ? host : "",
    checkServerIdentity: (_, certificate) =>
      publicKeySha256(certificate.raw) === trust.publicKeySha256 ? undefined : new KeyNotPinnedError(),
  });
}

class KeyNotPinnedError extends Error {
  readonly code = keyNotPinned;
}

/** One context serves all connections, so the authorities are parsed once. It contains no session. */
function createContext(authorities: readonly string[]): tls.SecureContext {
  return tls.createSecureContext({ ca: [...authorities], minVersion: tlsVersion, maxVersion: tlsVersion });
}

/** Node ignores a text without a certificate, and would then refuse every server without saying why. */
function readCertificates(pem: string): readonly string[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^]+?-----END CERTIFICATE-----/g) ?? [];
  try {
    if (blocks.length > 0) return blocks.map((block) => new X509Certificate(block).toString());
  } catch {
    // refused below
  }
  throw new TypeError("The certificate to trust is not in PEM. Check the authority, or enrol again.");
}

/** `getPeerCertificate().pubkey` is not the SubjectPublicKeyInfo, so the key is read from the certificate again. */
function publicKeySha256(certificate: Uint8Array): string {
  const key = new X509Certificate(certificate).publicKey.export({ type: "spki", format: "der" });
  return createHash("sha256").update(key).digest("hex");
}

/** Node's authorities and those of the system, which Node itself does not trust. Node 22.14 and older cannot read the latter. */
function systemAuthorities(): readonly string[] {
  if (typeof tls.getCACertificates !== "function") return tls.rootCertificates;
  return [...tls.getCACertificates("default"), ...tls.getCACertificates("system")];
}
