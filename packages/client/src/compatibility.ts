import type { Manifest } from "@belfry/contract";
import { CompatibilityError } from "./errors.ts";

const supportedMajor = 1;

/** Throws if the major versions of the protocol differ. A newer minor version only adds members and operations. */
export function checkProtocol(manifest: Manifest): void {
  const version = manifest.protocol_versions.local;
  const major = Number(/^v(\d+)(\.\d+)?$/.exec(version)?.[1] ?? Number.NaN);
  if (major === supportedMajor) return;
  const facts = `The daemon (version ${manifest.product_version}) uses protocol ${version}, and this client uses v${supportedMajor}`;
  if (Number.isNaN(major)) throw new CompatibilityError(`${facts}. Check that the server is a Belfry daemon.`);
  const fix = major > supportedMajor ? "Update @belfry/client" : "Update the daemon";
  throw new CompatibilityError(`${facts}. ${fix}. Nothing was changed.`);
}
