import { z } from "zod";
import { capabilities } from "../../core/capability.ts";
import { patchOf } from "../../core/list.ts";
import { Name, orNull, ResourceId, Revision, Timestamp } from "../../core/scalars.ts";
import { writes } from "../../core/written-resource.ts";

/** `local` is the built-in actor of the protected socket. Every other actor is remote. */
export const actorKinds = ["local", "remote"] as const;
export type ActorKind = (typeof actorKinds)[number];
export const actorStates = ["active", "disabled", "revoked", "expired"] as const;
export type ActorState = (typeof actorStates)[number];
/** The states that a client can set. Revocation is an operation of its own, and expiry follows from the time. */
export const actorSwitchStates = ["active", "disabled"] as const;

export const ActorCapability = z.enum(capabilities).meta({
  description:
    "What the actor may do. `observe`: read. `operate`: also start and cancel runs, and enable and disable resources. `manage`: also create, change and delete them. `enroll`: also manage actors and read the audit trail. Each includes the ones before it",
});

const expiresAt = "The time from which the actor may do nothing; null if it never expires";

export const Actor = z
  .object({
    id: ResourceId,
    name: Name,
    kind: z.enum(actorKinds).meta({ description: "`local` is the caller of the daemon's own socket" }),
    capability: ActorCapability,
    state: z.enum(actorStates).meta({
      description:
        "Only an active actor may do anything. A revoked actor is never active again. `expired`: `expires_at` has passed; a later `expires_at` or null makes the actor active again, unless it is disabled",
    }),
    built_in: z
      .boolean()
      .meta({ description: "Whether the daemon itself made the actor. A built-in actor cannot be changed" }),
    expires_at: orNull(Timestamp).meta({ description: expiresAt }),
    last_seen_at: orNull(Timestamp).meta({
      description: "The time of the last call; null if there was none. It does not change the revision",
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
    revision: Revision,
  })
  .meta({ id: "Actor" });
export type Actor = z.output<typeof Actor>;

const expiry = orNull(Timestamp)
  .optional()
  .meta({ description: `${expiresAt}. A new time must be in the future` });

export const ActorCreate = writes(
  Actor,
  z.strictObject({ name: Name, capability: ActorCapability, expires_at: expiry }).meta({ id: "ActorCreate" }),
);
export type ActorCreate = z.output<typeof ActorCreate>;

export const ActorPatch = writes(
  Actor,
  patchOf({
    name: Name.optional(),
    capability: ActorCapability.optional(),
    state: z.enum(actorSwitchStates).optional(),
    expires_at: expiry,
  }).meta({ id: "ActorPatch" }),
);
export type ActorPatch = z.output<typeof ActorPatch>;
