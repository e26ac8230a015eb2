import { enrollRemote, type RemoteProfile, type TrustError } from "@belfry/client/remote";
import { type Capability, parseInvitation } from "@belfry/contract";
import { hostname } from "node:os";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { Failure, usage } from "../failure.ts";
import type { Host } from "../host.ts";
import { asWritten } from "../output/hints.ts";
import type { Output } from "../output/output.ts";
import { withoutUndefined } from "../without-undefined.ts";
import { KeychainFailure } from "./keychain.ts";
import { checkProfileName, nameFromAddress } from "./profile-name.ts";
import { addProfile, checkKeychain, listProfileNames, nameTaken } from "./profile-store.ts";
import type { StoredProfile, StoreKind } from "./stored-profile.ts";

export interface Enrolment {
  readonly invitation: string;
  /** Called when everything else has been checked: a phrase can be used only once. */
  readonly readPhrase: () => Promise<string>;
  /** Reads the authority of the daemon's certificate, in PEM. */
  readonly readAuthority?: () => Promise<string>;
  /** Default: the first part of the daemon's host name. */
  readonly name?: string;
  readonly capability?: Capability;
  readonly credentialName?: string;
  readonly store?: StoreKind;
}

/** Exchanges a phrase for a credential, and keeps it as a new profile. */
export async function enrollProfile(
  { invitation, readPhrase, readAuthority, ...wanted }: Enrolment,
  { host, out, timeoutMs }: Pick<Context, "host" | "out" | "timeoutMs">,
): Promise<StoredProfile> {
  const name = newNameFor(invitation, wanted.name, host);
  if (wanted.store === "keychain") await requireKeychain(host);
  const authority = await readAuthority?.();
  const profile = await enrollRemote({
    invitation,
    phrase: await readPhrase(),
    displayName: wanted.credentialName ?? hostname(),
    ...withoutUndefined({ authority, capability: wanted.capability, timeoutMs: timeoutMs ?? undefined }),
    // of a single address, the failure says the same
    ...(parseInvitation(invitation)?.addresses.length === 1
      ? {}
      : { onUntrustedAddress: ({ message }: TrustError) => out.note(asWritten(`Warning: ${message}`)) }),
  });
  return keep({ name, profile, store: wanted.store }, host, out);
}

async function requireKeychain(host: Host): Promise<void> {
  try {
    await checkKeychain(host);
  } catch (error) {
    if (!(error instanceof KeychainFailure)) throw error;
    throw new Failure(error.exitCode, error.message, {
      hint: `Nothing was sent, so the phrase can still be used. To keep the profile in a file, use --store file. ${error.hint}`,
    });
  }
}

/** Checked before the phrase is used, because a phrase can be used only once. */
function newNameFor(invitation: string, typed: string | undefined, host: Host): string {
  const address = parseInvitation(invitation)?.addresses[0];
  if (address === undefined)
    throw usage("the invitation is not complete", "Copy the whole line that `belfry pair` printed, in quotes");
  const name = typed ?? nameFromAddress(address);
  if (name === null) throw usage("the address of the daemon is no profile name", "Give one with --name <name>");
  checkProfileName(name);
  if (listProfileNames(host).includes(name)) throw nameTaken(name);
  return name;
}

interface NewProfile {
  readonly name: string;
  readonly profile: RemoteProfile;
  readonly store: StoreKind | undefined;
}

/** Keeps the profile. The token is never shown again, so a failure names the credential to revoke. */
async function keep({ name, profile, store }: NewProfile, host: Host, out: Output): Promise<StoredProfile> {
  try {
    return await keepIn(store ?? (host.keychain === null ? "file" : "keychain"));
  } catch (error) {
    if (!(error instanceof KeychainFailure) || store === "keychain") throw notKept(profile, error);
    out.note("Note: this session has no keychain that can be used, so the profile is kept in a file");
  }
  try {
    return await keepIn("file");
  } catch (error) {
    throw notKept(profile, error);
  }

  async function keepIn(kind: StoreKind): Promise<StoredProfile> {
    const stored = { name, store: kind, profile };
    if (!(await addProfile(stored, host))) throw nameTaken(name);
    return stored;
  }
}

function notKept({ credentialId }: RemoteProfile, error: unknown): Failure {
  const reason = error instanceof Error ? error.message : String(error);
  return new Failure(exitCodes.failed, `the daemon accepted the phrase, but the profile could not be kept: ${reason}`, {
    hint: asWritten(
      `On the daemon's machine, revoke the new credential with: belfry credential revoke ${credentialId}\nThen pair again`,
    ),
  });
}
