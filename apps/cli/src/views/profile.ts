import { X509Certificate } from "node:crypto";
import type { Failure } from "../failure.ts";
import type { Detail } from "../output/details.ts";
import type { Column } from "../output/table.ts";
import type { StoredProfile } from "../profiles/stored-profile.ts";

/** A profile as it is shown: never with its token. */
export interface ShownProfile {
  readonly name: string;
  readonly in_use: boolean;
  readonly store: StoredProfile["store"];
  readonly addresses: readonly string[];
  readonly installation_id: string;
  readonly trust: { readonly kind: "root" | "key"; readonly sha256: string };
  readonly credential_id: string;
  readonly actor_id: string;
  readonly capability: string;
}

/** A profile that cannot be read, for example because the keychain is locked. */
export interface UnreadableProfile {
  readonly name: string;
  readonly in_use: boolean;
  readonly error: { readonly code: string; readonly message: string };
}

export function showProfile({ name, store, profile }: StoredProfile, current: string | null): ShownProfile {
  const { trust } = profile;
  return {
    name,
    in_use: name === current,
    store,
    addresses: profile.addresses,
    installation_id: profile.daemonId,
    trust: { kind: trust.kind, sha256: trust.kind === "key" ? trust.publicKeySha256 : sha256Of(trust.certificate) },
    credential_id: profile.credentialId,
    actor_id: profile.actorId,
    capability: profile.capability,
  };
}

export function showUnreadable(name: string, current: string | null, failure: Failure): UnreadableProfile {
  return { name, in_use: name === current, error: { code: failure.code, message: failure.message } };
}

/** The fingerprint of a certificate, as the daemon prints it. */
function sha256Of(certificate: string): string {
  return new X509Certificate(certificate).fingerprint256.replaceAll(":", "").toLowerCase();
}

export const profileColumns: readonly Column<ShownProfile | UnreadableProfile>[] = [
  { title: "PROFILE", text: ({ name }) => name },
  { title: "IN USE", text: ({ in_use }) => (in_use ? "yes" : ""), color: () => "good" },
  { title: "ADDRESS", text: (row) => ("error" in row ? row.error.message : row.addresses[0]!), isFlexible: true },
  { title: "CAPABILITY", text: (row) => ("error" in row ? null : row.capability) },
  { title: "STORED IN", text: (row) => ("error" in row ? null : row.store) },
  { title: "INSTALLATION", text: (row) => ("error" in row ? null : row.installation_id), color: () => "dim" },
];

export function profileDetails(profile: ShownProfile): readonly Detail[] {
  const { trust } = profile;
  return [
    ["Profile", profile.name],
    ["In use", profile.in_use ? "yes" : "no"],
    ["Addresses", profile.addresses.join(", ")],
    ["Installation", profile.installation_id],
    [trust.kind === "root" ? "Trusts the root" : "Trusts the public key", `SHA-256 ${trust.sha256}`],
    ["Credential", profile.credential_id],
    ["Actor", profile.actor_id],
    ["Expects", profile.capability],
    ["Stored in", profile.store === "file" ? "a file that only you can read" : "the keychain"],
  ];
}
