import { z } from "zod";
import { limits } from "../../core/limits.ts";
import { nothingToChange } from "../../core/list.ts";
import { Name, orNull, ResourceId, Revision, Timestamp } from "../../core/scalars.ts";
import { secret } from "../../core/secret.ts";
import { writes } from "../../core/written-resource.ts";

export const channelKinds = ["webhook"] as const;

const endpoint = secret(
  z.string().min(1).max(limits.endpointCharactersMax).meta({
    format: "uri",
    description:
      "Where requests go, write-only. https; http only to a loopback address or localhost. No user information, no fragment",
  }),
);

const authorization = secret(
  z
    .string()
    .max(limits.authorizationCharactersMax)
    .regex(/^[!-~](?:[ -~]*[!-~])?$/, "must be printable ASCII without spaces at its ends")
    .meta({ description: "Sent as it is in the Authorization header, write-only", examples: ["Bearer <token>"] }),
);

/** 24 to 64 bytes in base64: what Standard Webhooks takes. */
const base64 = String.raw`(?:[A-Za-z0-9+/]{4}){8,20}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?|(?:[A-Za-z0-9+/]{4}){21}(?:[A-Za-z0-9+/]{2}==)?`;
const signingSecret = secret(
  z
    .string()
    .regex(new RegExp(`^whsec_(?:${base64})$`), "must be whsec_ followed by 24 to 64 bytes in base64")
    .meta({
      description: "Signs every request as Standard Webhooks describe, write-only: whsec_ and 24 to 64 bytes in base64",
    }),
);

export const NotificationChannel = z
  .object({
    id: ResourceId,
    name: Name,
    kind: z.enum(channelKinds),
    endpoint_summary: z
      .string()
      .meta({ description: "Scheme and host of the destination, with a port that is not the default" }),
    has_authorization: z.boolean(),
    has_signing_secret: z.boolean(),
    enabled: z.boolean().meta({ description: "A disabled channel gets no new deliveries; those queued still go out" }),
    failing_since: orNull(Timestamp).meta({
      description: "When the first of these failures ended; null while there are none",
    }),
    consecutive_failures: z.int().min(0).meta({
      description:
        "Deliveries that failed since the last one that succeeded, each after its last attempt. A success sets it to 0. Does not change the revision",
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
    revision: Revision,
  })
  .meta({ id: "NotificationChannel" });
export type NotificationChannel = z.output<typeof NotificationChannel>;

export const NotificationChannelCreate = writes(
  NotificationChannel,
  z
    .strictObject({
      name: Name,
      endpoint,
      authorization: authorization.optional(),
      signing_secret: signingSecret.optional(),
      enabled: z.boolean().default(true),
    })
    .meta({ id: "NotificationChannelCreate" }),
);
export type NotificationChannelCreate = z.output<typeof NotificationChannelCreate>;

const isNotEmpty = (body: object): boolean => Object.keys(body).length > 0;

export const NotificationChannelPatch = writes(
  NotificationChannel,
  z
    .strictObject(
      { name: Name.optional(), endpoint: endpoint.optional(), enabled: z.boolean().optional() },
      {
        error: (issue) =>
          issue.code === "unrecognized_keys" && Object.hasOwn(rotated, issue.keys[0]!)
            ? "cannot be changed here: rotate replaces or clears it"
            : undefined,
      },
    )
    .refine(isNotEmpty, nothingToChange)
    .meta({ id: "NotificationChannelPatch", minProperties: 1 }),
);
export type NotificationChannelPatch = z.output<typeof NotificationChannelPatch>;

const rotated = {
  authorization: secret(orNull(authorization)).optional(),
  signing_secret: secret(orNull(signingSecret)).optional(),
};

export const NotificationChannelRotate = z.strictObject(rotated).refine(isNotEmpty, nothingToChange).meta({
  id: "NotificationChannelRotate",
  minProperties: 1,
  description: "A value replaces, null clears, and what is absent stays",
});
export type NotificationChannelRotate = z.output<typeof NotificationChannelRotate>;
