import { createCipheriv, createDecipheriv, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { randomBytes } from "../../kernel/random.ts";

/** How a passphrase sealed the key, as the description of a backup has it. */
export interface KeySealing {
  readonly cipher: "aes-256-gcm";
  readonly kdf: "scrypt";
  readonly n: number;
  readonly r: number;
  readonly p: number;
  readonly salt: string;
  readonly nonce: string;
  readonly tag: string;
}

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);
/** 64 MiB and about a third of a second for each guess. */
const cost = { n: 2 ** 16, r: 8, p: 1 };
/** The greatest costs that a backup may ask for, in its parameters and in bytes of memory: its file may come from anywhere. */
const costMax = { n: 2 ** 20, r: 32, p: 16, bytes: 1024 * 1024 * 1024 };
const context = Buffer.from("belfry backup sealing key");

export async function sealKey(
  key: Buffer,
  passphrase: string,
): Promise<{ readonly sealed: Buffer; readonly sealing: KeySealing }> {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv("aes-256-gcm", await deriveKey(passphrase, { ...cost, salt }), nonce).setAAD(context);
  const sealed = Buffer.concat([cipher.update(key), cipher.final()]);
  const [saltText, nonceText, tag] = [salt, nonce, cipher.getAuthTag()].map((bytes) => bytes.toString("base64"));
  const kind = { cipher: "aes-256-gcm", kdf: "scrypt" } as const;
  return { sealed, sealing: { ...kind, ...cost, salt: saltText!, nonce: nonceText!, tag: tag! } };
}

/** Whether a value from an archive says how its key was sealed, at a cost that this version accepts. */
export function isKeySealing(value: unknown): value is KeySealing {
  if (typeof value !== "object" || value === null) return false;
  const { cipher, kdf, n, r, p, salt, nonce, tag } = value as Partial<Record<keyof KeySealing, unknown>>;
  if (cipher !== "aes-256-gcm" || kdf !== "scrypt") return false;
  if (!isWithin(n, costMax.n) || !isWithin(r, costMax.r) || !isWithin(p, costMax.p)) return false;
  // scrypt accepts powers of two only
  if (n < 2 || (n & (n - 1)) !== 0 || 128 * n * r > costMax.bytes) return false;
  return isBase64(salt, 16) && isBase64(nonce, 12) && isBase64(tag, 16);
}

function isBase64(text: unknown, bytes: number): boolean {
  return typeof text === "string" && Buffer.from(text, "base64").length === bytes;
}

function isWithin(value: unknown, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= max;
}

/** Returns null if the passphrase is wrong. */
export async function openKey(sealed: Buffer, sealing: KeySealing, passphrase: string): Promise<Buffer | null> {
  const [salt, nonce, tag] = [sealing.salt, sealing.nonce, sealing.tag].map((text) => Buffer.from(text, "base64"));
  const key = await deriveKey(passphrase, { ...sealing, salt: salt! });
  const decipher = createDecipheriv("aes-256-gcm", key, nonce!, { authTagLength: 16 }).setAAD(context).setAuthTag(tag!);
  try {
    return Buffer.concat([decipher.update(sealed), decipher.final()]);
  } catch {
    return null;
  }
}

function deriveKey(
  passphrase: string,
  { n, r, p, salt }: Pick<KeySealing, "n" | "r" | "p"> & { readonly salt: Buffer },
): Promise<Buffer> {
  return derive(passphrase.normalize("NFC"), salt, 32, { N: n, r, p, maxmem: 256 * n * r });
}
