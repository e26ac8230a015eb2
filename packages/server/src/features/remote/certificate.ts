import type { RemoteCertificate } from "@belfry/contract";
import { createHash, type X509Certificate } from "node:crypto";
import { formatInstant, type Instant } from "../../kernel/time/time.ts";

/** The certificate that the daemon presents, with its key. */
export interface ServerCertificate {
  readonly source: RemoteCertificate["source"];
  /** PEM. */
  readonly key: string;
  /** PEM: the certificate itself, and then those that lead to its authority. */
  readonly chain: string;
  readonly leaf: X509Certificate;
  /** The daemon's root; null for a configured certificate. */
  readonly root: X509Certificate | null;
}

export function viewCertificate({ source, leaf, root }: ServerCertificate): RemoteCertificate {
  return {
    source,
    root_sha256: root === null ? null : sha256Of(root.raw),
    certificate_sha256: sha256Of(leaf.raw),
    public_key_sha256: publicKeySha256Of(leaf),
    names: namesOf(leaf),
    not_before: formatInstant(beginOf(leaf)),
    expires_at: formatInstant(endOf(leaf)),
  };
}

export function publicKeySha256Of(certificate: X509Certificate): string {
  return sha256Of(certificate.publicKey.export({ type: "spki", format: "der" }));
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

export function beginOf(certificate: X509Certificate): Instant {
  return certificate.validFromDate.getTime();
}

export function endOf(certificate: X509Certificate): Instant {
  return certificate.validToDate.getTime();
}

/** Whether the last third of the certificate's time has begun, or its time has not begun. */
export function isDue(certificate: X509Certificate, now: Instant): boolean {
  return now >= renewalOf(certificate) || now < beginOf(certificate);
}

export function renewalOf(certificate: X509Certificate): Instant {
  const begin = beginOf(certificate);
  return begin + ((endOf(certificate) - begin) * 2) / 3;
}

/** Lists the names and addresses of a certificate. */
function namesOf({ subjectAltName }: X509Certificate): string[] {
  return (subjectAltName ?? "")
    .split(", ")
    .filter((name) => name !== "")
    .map((name) => shortened(name.replace(/^[^:]+:/, "")));
}

/** OpenSSL writes every group of an IPv6 address. */
function shortened(name: string): string {
  return name.includes(":") ? new URL(`https://[${name}]`).hostname.slice(1, -1) : name;
}
