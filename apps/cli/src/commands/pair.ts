import type { PairingSecret } from "@belfry/client";
import { credentialKinds } from "../choices.ts";
import { defineLocalCommand } from "../command.ts";
import { capabilityOption } from "../definitions/actor-options.ts";
import { usage } from "../failure.ts";
import { findActor } from "../find/actor.ts";
import type { Host } from "../host.ts";
import { duration, flag, oneOf, text } from "../options.ts";
import { asWritten, type Rewrite } from "../output/hints.ts";
import type { Output } from "../output/output.ts";
import { hasColors } from "../output/paint.ts";
import { drawQrCode } from "../output/qr-code.ts";
import { columnsOf } from "../output/terminal.ts";
import { formatLocal } from "../output/time.ts";
import { fingerprintOf } from "../profiles/invitation-fingerprint.ts";
import { withoutUndefined } from "../without-undefined.ts";

export const command = defineLocalCommand({
  arguments: [{ name: "name", summary: "name of the new actor, for example of the client's owner", isOptional: true }],
  options: {
    capability: capabilityOption("what the new actor may do (required with a name)"),
    actor: text("--actor <actor>", "pair another client of this actor, instead of a new actor"),
    kind: oneOf("--kind <kind>", "program that will hold the credential", {
      choices: credentialKinds,
      byDefault: "cli",
    }),
    expires: duration("--expires-in <duration>", "how long the pairing can be used, 10m at most (default 10m)"),
    qr: flag("--qr", "print the QR code also where it may not fit, or without a terminal"),
  },
  details:
    "Prints an invitation, which is not secret, and a phrase, which is. Give them to the client by two different ways. The phrase works once, and is never shown again. The remote API must be enabled.",
  examples: [
    ['belfry pair "Ada" --capability operate', "invite a client of a new actor"],
    ["belfry pair --actor Ada --kind desktop", "invite another client of an actor"],
  ],
  run: async ({ connect, args: [name], options, host, out }) => {
    const { capability, actor: typedActor, kind } = options;
    const members = withoutUndefined({ kind, expires_in: options.expires });
    if ((name === undefined) === (typedActor === undefined))
      throw usage("give either the name of a new actor, or --actor with an existing one");
    if (typedActor !== undefined && capability !== undefined)
      throw usage(
        "--capability cannot be given with --actor: the client may do what its actor may do",
        asWritten("To let it do less, run belfry enroll with --capability on the client's machine"),
      );
    const client = await connect();
    let pairing: PairingSecret;
    if (name === undefined) {
      const actor = await findActor(client, typedActor!);
      pairing = await client.pairings.create({ actor_id: actor.id, ...members });
    } else {
      if (capability === undefined) throw usage("missing --capability: give observe, operate, manage or enroll");
      pairing = await client.pairings.create({ name, capability, ...members });
    }
    out.answer(pairing, () => describe(pairing, out.hint));
    if (!out.json) printQrCode(pairing.invitation, { host, out, isForced: options.qr === true });
  },
});

function describe({ invitation, phrase, addresses, expires_at, pairing_id }: PairingSecret, hint: Rewrite): string {
  return [
    "Invitation, on one line:",
    "",
    invitation,
    "",
    "Phrase, which is secret. Send it by another way:",
    "",
    phrase,
    "",
    `On the other machine, run: belfry enroll <invitation>`,
    `Addresses: ${addresses.join(", ")}`,
    `Fingerprint: ${fingerprintOf(invitation)}`,
    `It can be used once, until ${formatLocal(expires_at)}. ${hint(`To withdraw it, run: belfry pairing delete ${pairing_id}`)}`,
  ].join("\n");
}

interface Printing {
  readonly host: Host;
  readonly out: Output;
  readonly isForced: boolean;
}

/** Prints the invitation as a QR code. It does not contain the phrase. */
function printQrCode(invitation: string, { host: { stdout, environment }, out, isForced }: Printing): void {
  if (stdout.isTTY !== true && !isForced) return;
  const { columns, text: drawing } = drawQrCode(invitation, { hasColors: hasColors(stdout, environment) });
  if (isForced || columns <= columnsOf(stdout)) return out.write(`\n${drawing}`);
  out.note(`The invitation as a QR code needs a terminal of ${columns} columns. To print it here, add --qr`);
}
