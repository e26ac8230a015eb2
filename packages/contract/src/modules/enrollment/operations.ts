import { z } from "zod";
import { limits } from "../../core/limits.ts";
import { defineOperation, everywhere, remoteOnly } from "../../core/operation.ts";
import { referenceTo } from "../../core/references.ts";
import { Name, orNull, ResourceId, Timestamp, wholeToken } from "../../core/scalars.ts";
import { secret } from "../../core/secret.ts";
import { ActorCapability } from "../actors/schemas.ts";
import { credentialKinds } from "../credentials/schemas.ts";

/** The token of a credential as it is returned. */
export const AccessToken = z
  .string()
  .regex(wholeToken)
  .meta({ id: "AccessToken", description: "A secret: anyone who has it can act as the actor. Shown only once" });

export const EnrollRequest = z
  .strictObject({
    pairing_id: referenceTo("pairing"),
    phrase: secret(z.string().min(1).max(limits.phraseCharactersMax)),
    daemon_id: z
      .string()
      .min(1)
      .max(limits.idCharactersMax)
      .meta({ description: "The identity that the client expects: the call is rejected with 409 by any other daemon" }),
    display_name: Name.optional().meta({
      description: "The name of the credential, such as the name of a machine. Default: the name of the actor",
    }),
    kind: z.enum(credentialKinds).optional().meta({ description: "Default: the kind of the pairing" }),
    capability: ActorCapability.optional().meta({
      description:
        "May only lower the capability of the pairing. A higher one is rejected with 403. A lower one limits a new actor; of an existing actor, only this credential",
    }),
  })
  .meta({ id: "EnrollRequest" });
export type EnrollRequest = z.output<typeof EnrollRequest>;

export const Enrollment = z
  .object({
    daemon_id: z.string().meta({ description: "The identity of the daemon: compare it with the expected one" }),
    actor_id: ResourceId,
    credential_id: ResourceId,
    capability: ActorCapability,
    access_token: AccessToken,
    expires_at: orNull(Timestamp).meta({ description: "When the actor expires; null for never" }),
  })
  .meta({ id: "Enrollment" });
export type Enrollment = z.output<typeof Enrollment>;

export const CurrentAccess = z
  .object({
    actor_id: ResourceId,
    actor_name: Name,
    credential_id: orNull(ResourceId).meta({ description: "Null for local callers, which need no credential" }),
    capability: ActorCapability,
    expires_at: orNull(Timestamp).meta({ description: "When the actor expires; null for never" }),
  })
  .meta({ id: "CurrentAccess" });
export type CurrentAccess = z.output<typeof CurrentAccess>;

export const enrollmentOperations = [
  defineOperation({
    id: "access.current",
    method: "get",
    path: "/access/current",
    summary: "Get the caller's own actor and what it may do now",
    kind: "read",
    capability: "observe",
    transports: everywhere,
    audited: false,
    resource: "actor",
    response: { kind: "json", status: 200, schema: CurrentAccess },
    errors: [],
  }),
  defineOperation({
    id: "access.enroll",
    method: "post",
    path: "/enroll",
    summary: "Exchange the phrase of a pairing for a credential",
    description:
      "The identity is compared first, and a wrong one uses no try. Then the call uses one of the five tries of the pairing, whatever its answer. An unknown, used, expired or burnt pairing and a wrong phrase all answer 401 `unauthorized`, with the same message. `Idempotency-Key` is rejected, because the token is never shown twice: after a lost answer, revoke the credential and create another pairing.",
    kind: "write",
    capability: "observe",
    transports: remoteOnly,
    isPublic: true,
    audited: true,
    resource: "credential",
    body: EnrollRequest,
    response: { kind: "json", status: 201, schema: Enrollment },
    makes: "credential_id",
    errors: ["unauthorized", "conflict"],
    example: {
      pairing_id: "par_Wd5Kz8QmTx2Rv7JbNc4H",
      phrase: "canopy-drizzle-mosaic-pebble-tundra-violin",
      daemon_id: "ins_c8Rk3MwYt6Vz1NqPx0Hd",
      display_name: "Ada's laptop",
    },
  }),
] as const;
