import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { randomBytes } from "../../kernel/random.ts";
import { type Instant, lastInstant, parseInstant, toDate } from "../../kernel/time/time.ts";
import { isAddress } from "./addresses.ts";

/** A certificate and its key, both PEM. */
export interface MadeCertificate {
  readonly key: string;
  readonly certificate: string;
}

const dayMs = 86_400_000;
const leafDays = 365;
/** The clock of a client may be behind. */
const allowanceMs = dayMs;
const curve = { name: "ECDSA", namedCurve: "P-256" };
const signingAlgorithm = { name: "ECDSA", hash: "SHA-256" };
const organization = "Belfry";
const secondMs = 1_000;

/** Makes a root without a practical expiry: its clients trust it and nothing else, so replacing it means enrolling again. */
export async function makeRoot(installationId: string): Promise<MadeCertificate> {
  const x509 = await loadX509();
  const keys = makeKeys();
  const subject = `CN=${installationId}, O=${organization}`;
  const root = await x509.X509CertificateGenerator.create({
    serialNumber: makeSerialNumber(),
    subject,
    issuer: subject,
    notBefore: toDate(parseInstant("2000-01-01T00:00:00Z")),
    notAfter: toDate(lastInstant - (lastInstant % secondMs)),
    signingAlgorithm,
    publicKey: keys.verifying,
    signingKey: keys.signing,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.verifying),
    ],
  });
  return { key: keys.pem, certificate: `${root.toString("pem")}\n` };
}

/** Makes a certificate for these names and addresses under the root. */
export async function makeLeaf(
  root: MadeCertificate,
  { names, now }: { readonly names: readonly string[]; readonly now: Instant },
): Promise<MadeCertificate> {
  const x509 = await loadX509();
  const issuer = new x509.X509Certificate(root.certificate);
  const keys = makeKeys();
  const leaf = await x509.X509CertificateGenerator.create({
    serialNumber: makeSerialNumber(),
    subject: `CN=${organization}, O=${organization}`,
    issuer: issuer.subject,
    notBefore: toDate(now - allowanceMs),
    notAfter: toDate(now + leafDays * dayMs),
    signingAlgorithm,
    publicKey: keys.verifying,
    signingKey: createPrivateKey(root.key).toCryptoKey(curve, false, ["sign"]),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isAddress(value) ? ("ip" as const) : ("dns" as const), value })),
      ),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
    ],
  });
  return { key: keys.pem, certificate: `${leaf.toString("pem")}\n` };
}

/**
 * Loads the library, which takes a tenth of a second, only when a certificate is made. It reads `Reflect` while it is
 * loaded, so its extension of `Reflect` comes first.
 */
async function loadX509() {
  await import("reflect-metadata");
  return import("@peculiar/x509");
}

function makeKeys() {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    pem: pemOf(privateKey),
    signing: privateKey.toCryptoKey(curve, false, ["sign"]),
    verifying: publicKey.toCryptoKey(curve, true, ["verify"]),
  };
}

function pemOf(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }) as string;
}

/** A positive number with 127 random bits. */
function makeSerialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x3f) | 0x40;
  return bytes.toString("hex");
}
