import { enrollRemote, type RemoteProfile } from "@belfry/client/remote";
import { parseInvitation } from "@belfry/contract";
import { X509Certificate } from "node:crypto";
import { hostname } from "node:os";
import { defineCommand } from "../command.ts";
import { capabilityOption } from "../definitions/actor-options.ts";
import { exitCodes } from "../exit-codes.ts";
import { Failure, usage } from "../failure.ts";
import type { Host } from "../host.ts";
import { readSecret } from "../input/secret.ts";
import { readText } from "../input/text.ts";
import { oneOf, text } from "../options.ts";
import type { Output } from "../output/output.ts";
import { KeychainFailure } from "../profiles/keychain.ts";
import { checkProfileName, nameFromAddress } from "../profiles/profile-name.ts";
import { addProfile, checkKeychain, listProfileNames, nameTaken, profilePath } from "../profiles/profile-store.ts";
import { storeKinds, type StoredProfile, type StoreKind } from "../profiles/stored-profile.ts";
import { showProfile } from "../views/profile.ts";
import { withoutUndefined } from "../without-undefined.ts";

/** Above the size of any bundle of authorities. */
const authorityBytesMax = 1024 * 1024;

export const command = defineCommand({
  arguments: [{ name: "invitation", summary: "the invitation that `belfry pair` printed" }],
  options: {
    name: text("--name <name>", "name of the new profile (default: the daemon's host name)"),
    phraseFile: text("--phrase-file <file>", "read the phrase from this file, or from standard input for -"),
    authority: text(
      "--authority <file>",
      "PEM file with the authority of the daemon's own certificate, if this system does not trust it",
    ),
    capability: capabilityOption("ask for less than the pairing allows"),
    credentialName: text(
      "--credential-name <name>",
      "name of the credential on the daemon (default: the name of this machine)",
    ),
    store: oneOf("--store <store>", "where to keep the profile (default: the keychain if there is one)", {
      choices: storeKinds,
    }),
  },
  details:
    "The phrase is read from a prompt, or from standard input. It is sent only after the server has proved to be the invited daemon.",
  extraArgumentHint: "Give only the invitation, and the phrase at the prompt or on standard input",
  examples: [
    ["belfry enroll bfi1.par_….0f3a9c21 --name build", "enrol this machine, and enter the phrase at the prompt"],
    ["belfry enroll bfi1.par_….0f3a9c21 < phrase.txt", "enrol in a script"],
  ],
  run: async ({ args: [invitation], options, host, out, timeoutMs }) => {
    const name = newNameFor(invitation, options.name, host);
    if (options.store === "keychain") await checkKeychain(host);
    const authority = options.authority === undefined ? undefined : await readAuthority(options.authority, host);
    const phrase = await readSecret({ file: options.phraseFile, noun: "phrase" }, host);
    out.progress(() => "Waiting for the daemon");
    const profile = await enrollRemote({
      invitation,
      phrase,
      displayName: options.credentialName ?? hostname(),
      ...withoutUndefined({ authority, capability: options.capability, timeoutMs: timeoutMs ?? undefined }),
      onUntrustedAddress: (error) => out.note(`Warning: ${error.message}`),
    });
    const stored = await keep({ name, profile, store: options.store }, host, out);
    const shown = showProfile(stored, null);
    out.answer(shown, () =>
      [
        `Enrolled with the daemon at ${shown.addresses[0]} as profile ${JSON.stringify(name)} (${shown.capability})`,
        stored.store === "file" ? `The profile is in ${profilePath(name, host)}` : "The profile is in the keychain",
        `Use it with: belfry --profile ${name} task list`,
      ].join("\n"),
    );
  },
});

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

async function readAuthority(file: string, host: Host): Promise<string> {
  const pem = await readText(file, host, {
    bytesMax: authorityBytesMax,
    tooLong: `${file} is too long for a certificate`,
  });
  try {
    void new X509Certificate(pem);
    return pem;
  } catch {
    throw usage(`${file} contains no certificate in PEM`, "Give the certificate of the authority, as text");
  }
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
    hint: `On the daemon's machine, revoke the new credential with: belfry credential revoke ${credentialId}\nThen pair again`,
  });
}
