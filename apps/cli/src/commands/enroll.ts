import { parseInvitation } from "@belfry/contract";
import { X509Certificate } from "node:crypto";
import { defineStandaloneCommand } from "../command.ts";
import { capabilityOption } from "../definitions/actor-options.ts";
import { usage } from "../failure.ts";
import type { Host } from "../host.ts";
import { readSecret } from "../input/secret.ts";
import { readText } from "../input/text.ts";
import { oneOf, text } from "../options.ts";
import { enrollProfile } from "../profiles/enroll-profile.ts";
import { fingerprintOf } from "../profiles/invitation-fingerprint.ts";
import { profilePath } from "../profiles/profile-store.ts";
import { storeKinds } from "../profiles/stored-profile.ts";
import { showProfile } from "../views/profile.ts";
import { withoutUndefined } from "../without-undefined.ts";

/** Above the size of any bundle of authorities. */
const authorityBytesMax = 1024 * 1024;

export const command = defineStandaloneCommand({
  arguments: [{ name: "invitation", summary: "the invitation that `belfry pair` printed" }],
  options: {
    name: text("--name <name>", "name of the new profile (default: the daemon's host name)"),
    phraseFile: text("--phrase-file <file>", "read the phrase from this file, or from standard input for -"),
    authority: text(
      "--authority <file>",
      "PEM file with the authority of a certificate that the daemon's administrator supplied, if this system does not trust it",
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
    const { authority: authorityFile, capability, credentialName, name, phraseFile, store } = options;
    const stored = await enrollProfile(
      {
        invitation,
        readPhrase: async () => {
          const isPrompt = (phraseFile ?? "-") === "-" && host.stdin.isTTY === true;
          if (isPrompt) out.note(describeInvitation(invitation));
          const phrase = await readSecret({ file: phraseFile, noun: "phrase" }, host);
          out.progress(() => "Waiting for the daemon");
          return phrase;
        },
        ...(authorityFile === undefined ? {} : { readAuthority: () => readAuthority(authorityFile, host) }),
        ...withoutUndefined({ capability, credentialName, name, store }),
      },
      { host, out, timeoutMs },
    );
    const shown = showProfile(stored, null);
    out.answer(shown, () =>
      [
        `Enrolled with the daemon at ${shown.addresses[0]} as profile ${JSON.stringify(stored.name)} (${shown.capability})`,
        stored.store === "file"
          ? `The profile is in ${profilePath(stored.name, host)}`
          : "The profile is in the keychain",
        out.hint(`Use it with: belfry --profile ${stored.name} task list`),
      ].join("\n"),
    );
  },
});

/** What to compare before the phrase is given: whoever replaced the invitation would get it. */
function describeInvitation(invitation: string): string {
  return [
    `The invitation leads to: ${parseInvitation(invitation)?.addresses.join(", ")}`,
    `Fingerprint: ${fingerprintOf(invitation)}`,
    "Enter the phrase only if `belfry pair` printed the same fingerprint.",
  ].join("\n");
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
