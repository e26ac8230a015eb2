import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { AppError } from "../../kernel/errors/errors.ts";
import { findRisk } from "../../kernel/files/trusted-file.ts";
import { formatInstant, type Instant } from "../../kernel/time/time.ts";
import { endOf, type ServerCertificate } from "./certificate.ts";

export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
  readonly authority: string | null;
}

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** Reads a certificate that the user provides; throws `validation_failed` with the member whose file is not usable. */
export function readConfiguredCertificate(files: CertificateFiles, now: Instant): ServerCertificate {
  const chain = readText("certificate", files.certificate);
  const leaf = certificatesIn("certificate", files.certificate, chain)[0]!;
  const key = readText("key", files.key);
  const risk = findRisk(files.key, { isSecret: true });
  if (risk !== null) throw unusable("key", `key ${files.key} ${risk}`);
  if (!leaf.checkPrivateKey(keyIn(files.key, key)))
    throw unusable("key", `key ${files.key} is not the key of the certificate ${files.certificate}`);
  if (endOf(leaf) <= now)
    throw unusable(
      "certificate",
      `certificate ${files.certificate} expired at ${formatInstant(endOf(leaf))}: provide a valid one`,
    );
  if (files.authority !== null) certificatesIn("authority", files.authority, readText("authority", files.authority));
  return { source: "configured", key, chain, leaf, root: null };
}

function unusable(field: string, message: string, cause?: unknown): AppError {
  return new AppError("validation_failed", message, { field, cause });
}

function certificatesIn(member: string, path: string, text: string): readonly X509Certificate[] {
  const pems = text.match(pemCertificate) ?? [];
  if (pems.length === 0)
    throw unusable(member, `${member} ${path} contains no PEM certificate: give a file with at least one`);
  try {
    return pems.map((pem) => new X509Certificate(pem));
  } catch (error) {
    throw unusable(member, `${member} ${path} contains a damaged certificate: replace the file`, error);
  }
}

function keyIn(path: string, text: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch (error) {
    throw unusable("key", `key ${path} is not a private key in PEM without a passphrase`, error);
  }
}

function readText(member: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw unusable(member, `${member} ${path} cannot be read: check the path and its permissions`, error);
  }
}
