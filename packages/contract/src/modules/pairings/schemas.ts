import { z } from "zod";
import { limits } from "../../core/limits.ts";
import { oneOfTwo } from "../../core/one-of-two.ts";
import { referenceTo } from "../../core/references.ts";
import { durationBetween, Name, orNull, ResourceId, Timestamp } from "../../core/scalars.ts";
import { writes } from "../../core/written-resource.ts";
import { ActorCapability } from "../actors/schemas.ts";
import { credentialKinds } from "../credentials/schemas.ts";

export const pairingStates = ["open", "used", "burnt", "expired"] as const;
export type PairingState = (typeof pairingStates)[number];

const kind = z.enum(credentialKinds).meta({ description: "The program that will hold the credential" });

/** An offer to enrol one client. It never contains the phrase (contract: Authentication). */
export const Pairing = z
  .object({
    id: ResourceId,
    actor_id: orNull(ResourceId).meta({
      description: "The actor that the client will act as; null until the pairing has created its own actor",
    }),
    name: Name.meta({ description: "The name of the actor" }),
    capability: ActorCapability.meta({ description: "The capability that the client gets" }),
    kind,
    state: z.enum(pairingStates).meta({
      description: "`burnt`: its tries were used up by wrong phrases. Only an open pairing can be used, and only once",
    }),
    tries_left: z.int().min(0).max(limits.pairingTriesMax),
    created_at: Timestamp,
    expires_at: Timestamp,
  })
  .meta({ id: "Pairing" });
export type Pairing = z.output<typeof Pairing>;

const common = {
  kind: kind.default("cli"),
  expires_in: durationBetween(limits.pairingMinMs, limits.pairingMaxMs)
    .default("10m")
    .meta({ description: "How long the pairing can be used. Between 1s and 10m" }),
};

const ForActor = writes(
  Pairing,
  z.strictObject({ actor_id: referenceTo("actor"), ...common }).meta({ id: "PairingForActor" }),
);
const ForNewActor = writes(
  Pairing,
  z.strictObject({ name: Name, capability: ActorCapability, ...common }).meta({ id: "PairingForNewActor" }),
);
export const PairingCreate = oneOfTwo(z.union([ForActor, ForNewActor]), ["actor_id", "name"]).meta({
  id: "PairingCreate",
});
export type PairingCreate = z.output<typeof PairingCreate>;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** The answer of the only operation that shows a phrase. */
export const PairingSecret = z
  .object({
    pairing_id: ResourceId,
    phrase: z
      .string()
      .meta({ description: "A secret of six words, shown only once. Send it by another way than the invitation" }),
    daemon_id: z.string().meta({ description: "The identity of this installation" }),
    expires_at: Timestamp,
    addresses: z.array(z.string()).meta({
      description: "Where the daemon may be reached: a host or address, and a port",
      examples: [["build.example.org:7443", "192.0.2.10:7443"]],
    }),
    certificate_sha256: sha256.meta({
      description: "The fingerprint of the certificate that clients trust, in hexadecimal",
    }),
    public_key_sha256: sha256.meta({
      description: "The fingerprint of the public key (SPKI) that the daemon proves to have, in hexadecimal",
    }),
    invitation: z.string().meta({
      description:
        "Everything that a client needs besides the phrase, as one line of text: addresses, identity and trust",
    }),
  })
  .meta({ id: "PairingSecret" });
export type PairingSecret = z.output<typeof PairingSecret>;
