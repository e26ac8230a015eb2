import { serverNameOf } from "@belfry/contract";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../kernel/errors/errors.ts";
import { makePrivate } from "../../kernel/files/paths.ts";
import { replaceFile } from "../../kernel/files/replace-file.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import { isAddress, listCertificateNames } from "./addresses.ts";
import { isDue, type ServerCertificate } from "./certificate.ts";
import { type MadeCertificate, makeLeaf, makeRoot } from "./make-certificates.ts";

export interface OwnCertificateParts {
  readonly folder: string;
  readonly clock: Pick<Clock, "now">;
  readonly installationId: () => string;
}

/** How much is made anew even if it is still valid. */
export type Renewal = "none" | "leaf" | "root";

export interface Ensured {
  readonly certificate: ServerCertificate;
  /** What was made. */
  readonly made: Renewal;
  /** Restores the former files. */
  readonly undo: () => void;
}

export type OwnCertificates = ReturnType<typeof createOwnCertificates>;

/**
 * In the order in which they are written; an undo goes back the same way. So a crash never leaves a certificate beside
 * half a root. If it leaves a root half replaced, the former key is still there: the certificate can be had from a client.
 */
const fileNames = ["root.pem", "root.key", "leaf.key", "leaf.pem"] as const;
type FileName = (typeof fileNames)[number];
type Files = Readonly<Record<FileName, string | null>>;

/** The daemon's root and the certificate under it, in `<data dir>/remote`. */
export function createOwnCertificates({ folder, clock, installationId }: OwnCertificateParts) {
  return {
    /**
     * Returns the certificate, and makes what is missing: a root of this installation, and a certificate with these
     * names that is not in its last third. A damaged root is an error, because a new one would lock every client out.
     */
    ensure: async (advertise: readonly string[], renewal: Renewal = "none"): Promise<Ensured> => {
      const former = readFiles();
      const identity = installationId();
      const present = renewal === "root" ? null : rootIn(former);
      const root = present !== null && isRootOf(present, identity) ? present : await makeRoot(identity);
      const isNewRoot = root !== present;
      const names = listCertificateNames(advertise, serverNameOf(identity));
      const known = isNewRoot || renewal !== "none" ? null : leafIn(former, { root, names, now: clock.now() });
      const leaf = known ?? (await makeLeaf(root, { names, now: clock.now() }));
      const made: Renewal = isNewRoot ? "root" : known === null ? "leaf" : "none";
      const undo = (): void => writeFiles(former, fileNames.toReversed());
      try {
        if (made !== "none") {
          makePrivate(folder);
          const roots = isNewRoot ? { "root.key": root.key, "root.pem": root.certificate } : {};
          writeFiles({ ...former, ...roots, "leaf.key": leaf.key, "leaf.pem": leaf.certificate });
        }
      } catch (error) {
        tryQuietly(undo);
        throw error;
      }
      return { certificate: serverCertificateOf(root, leaf), made, undo };
    },
    /** Whether there is a root that only a copy of it can repair, and only a new one can replace. */
    isRootDamaged: (): boolean => isRootDamaged(readFiles()),
  };

  function readFiles(): Files {
    return Object.fromEntries(fileNames.map((name) => [name, readIfPresent(join(folder, name))])) as Files;
  }

  function writeFiles(files: Files, names: readonly FileName[] = fileNames): void {
    for (const name of names) {
      const path = join(folder, name);
      const content = files[name];
      if (content === null) rmSync(path, { force: true });
      else if (readIfPresent(path) !== content) replaceFile(path, content);
    }
  }

  /** Returns the stored root; null if there is none. */
  function rootIn(files: Files): MadeCertificate | null {
    if (isRootDamaged(files))
      throw new AppError(
        "conflict",
        `the root in ${folder} is damaged: restore root.key and root.pem from a copy, or make a new root with belfry remote renew --root, and then every client must enrol again`,
      );
    const { "root.key": key, "root.pem": certificate } = files;
    return key === null || certificate === null ? null : { key, certificate };
  }
}

/**
 * A crash while the first root is written leaves one half of it and nothing else. Nobody can know that root, so it counts
 * as none.
 */
function isRootDamaged({ "root.key": key, "root.pem": certificate, ...leaf }: Files): boolean {
  if (key !== null && certificate !== null) return !isPair({ key, certificate });
  const isHalf = key !== null || certificate !== null;
  return isHalf && Object.values(leaf).some((text) => text !== null);
}

function serverCertificateOf(root: MadeCertificate, leaf: MadeCertificate): ServerCertificate {
  return {
    source: "own",
    key: leaf.key,
    chain: leaf.certificate,
    leaf: new X509Certificate(leaf.certificate),
    root: new X509Certificate(root.certificate),
  };
}

/** Returns the stored certificate if it is still of use. Nobody trusts it by itself, so a damaged one is replaced. */
function leafIn(
  { "leaf.key": key, "leaf.pem": certificate }: Files,
  { root, names, now }: { readonly root: MadeCertificate; readonly names: readonly string[]; readonly now: number },
): MadeCertificate | null {
  if (key === null || certificate === null || !isPair({ key, certificate })) return null;
  const leaf = new X509Certificate(certificate);
  if (!leaf.verify(new X509Certificate(root.certificate).publicKey) || isDue(leaf, now)) return null;
  const hasName = (name: string): boolean =>
    (isAddress(name) ? leaf.checkIP(name) : leaf.checkHost(name)) !== undefined;
  return names.every(hasName) ? { key, certificate } : null;
}

function isRootOf({ certificate }: MadeCertificate, installationId: string): boolean {
  return new X509Certificate(certificate).subject.split("\n").includes(`CN=${installationId}`);
}

function isPair({ key, certificate }: MadeCertificate): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

function tryQuietly(work: () => void): void {
  try {
    work();
  } catch {
    // the first error is reported
  }
}
