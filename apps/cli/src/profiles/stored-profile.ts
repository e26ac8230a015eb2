import type { RemoteProfile } from "@belfry/client/remote";

export const storeKinds = ["keychain", "file"] as const;
/** Where the content of a profile is kept. */
export type StoreKind = (typeof storeKinds)[number];

export interface StoredProfile {
  readonly name: string;
  readonly store: StoreKind;
  readonly profile: RemoteProfile;
}

/** The file of a profile: its content, or the account under which the keychain has it. The id is shown only. */
export type ProfileFile =
  | { readonly version: 1; readonly store: "file"; readonly profile: RemoteProfile }
  | { readonly version: 1; readonly store: "keychain"; readonly account: string; readonly credentialId: string };

/** Reads the file of a profile; null if it is not one that this version writes. */
export function parseProfileFile(text: string): ProfileFile | null {
  const file = parseObject(text);
  if (file?.["version"] !== 1) return null;
  const { store, account, credentialId } = file;
  if (store === "keychain" && typeof account === "string" && typeof credentialId === "string")
    return { version: 1, store, account, credentialId };
  const profile = file["store"] === "file" ? readProfile(file["profile"]) : null;
  return profile === null ? null : { version: 1, store: "file", profile };
}

/** Reads the content of a profile from the keychain. */
export function parseProfile(text: string): RemoteProfile | null {
  return readProfile(parseObject(text));
}

const textMembers = ["daemonId", "credentialId", "actorId", "capability", "accessToken"] as const;

/** Checks the shape only: this command wrote the profile, and the SDK checks what it uses. */
function readProfile(value: unknown): RemoteProfile | null {
  if (!isObject(value) || !Array.isArray(value["addresses"]) || !isObject(value["trust"])) return null;
  const isWhole =
    value["addresses"].every((address) => typeof address === "string") &&
    textMembers.every((member) => typeof value[member] === "string") &&
    typeof value["trust"][value["trust"]["kind"] === "root" ? "certificate" : "publicKeySha256"] === "string";
  return isWhole ? (value as unknown as RemoteProfile) : null;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
