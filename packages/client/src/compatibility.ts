import type { Manifest } from "@belfry/contract";
import { CompatibilityError } from "./errors.ts";

const spokenMajor = 1;

/** Throws where the daemon's local protocol is another than this client's; a newer minor version only adds. */
export function checkProtocol(manifest: Manifest): void {
  const theirs = manifest.protocol_versions.local;
  const major = Number(/^v(\d+)(\.\d+)?$/.exec(theirs)?.[1] ?? Number.NaN);
  if (major === spokenMajor) return;
  const facts = `The daemon (version ${manifest.product_version}) speaks protocol ${theirs}, this client v${spokenMajor}`;
  if (Number.isNaN(major)) throw new CompatibilityError(`${facts}: is this a Belfry daemon?`);
  const remedy = major > spokenMajor ? "update @belfry/client" : "update the daemon";
  throw new CompatibilityError(`${facts}: ${remedy}. Nothing was changed.`);
}
