import { z } from "zod";
import { Name, orNull, ResourceId, Timestamp } from "../../core/scalars.ts";
import { ActorCapability } from "../actors/schemas.ts";

/** The program that holds a credential. */
export const credentialKinds = ["json", "cli", "desktop"] as const;
export type CredentialKind = (typeof credentialKinds)[number];
export const credentialStates = ["active", "revoked", "expired"] as const;
export type CredentialState = (typeof credentialStates)[number];

export const Credential = z
  .object({
    id: ResourceId,
    actor_id: ResourceId,
    display_name: Name.meta({
      description:
        "A name that distinguishes this credential from the actor's others, for example the name of a machine",
    }),
    kind: z.enum(credentialKinds).meta({ description: "The program that holds the credential" }),
    capability: orNull(ActorCapability).meta({
      description:
        "The most that this credential may do, if its client asked for less than its actor may do; otherwise null",
    }),
    state: z
      .enum(credentialStates)
      .meta({ description: "`expired`: the actor has expired. A revoked credential is never active again" }),
    created_at: Timestamp,
    last_used_at: orNull(Timestamp).meta({ description: "The time of the last call; null if there was none" }),
    revoked_at: orNull(Timestamp),
  })
  .meta({ id: "Credential" });
export type Credential = z.output<typeof Credential>;
