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
      "The URL that requests are sent to, write-only. It must use https; http is allowed for loopback addresses and localhost. It must not contain user information or a fragment",
  }),
);

const authorization = secret(
  z
    .string()
    .max(limits.authorizationCharactersMax)
    .regex(/^[!-~](?:[ -~]*[!-~])?$/, "must be printable ASCII without leading or trailing spaces")
    .meta({ description: "The value of the `Authorization` header, write-only", examples: ["Bearer <token>"] }),
);

/** 24 to 64 bytes in base64, as Standard Webhooks requires. */
const base64 = String.raw`(?:[A-Za-z0-9+/]{4}){8,20}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?|(?:[A-Za-z0-9+/]{4}){21}(?:[A-Za-z0-9+/]{2}==)?`;
const signingSecret = secret(
  z
    .string()
    .regex(new RegExp(`^whsec_(?:${base64})$`), "must be whsec_ followed by 24 to 64 bytes in base64")
    .meta({
      description:
        "The secret that signs every request, as defined by Standard Webhooks: `whsec_` followed by 24 to 64 bytes in base64. Write-only",
    }),
);

export const NotificationChannel = z
  .object({
    id: ResourceId,
    name: Name,
    kind: z.enum(channelKinds),
    endpoint_summary: z
      .string()
      .meta({ description: "Scheme and host of the endpoint, and its port if it is not the default" }),
    has_authorization: z.boolean(),
    has_signing_secret: z.boolean(),
    enabled: z.boolean().meta({ description: "A disabled channel gets no new deliveries; queued ones are still sent" }),
    failing_since: orNull(Timestamp).meta({
      description: "When the first of the consecutive failed deliveries ended; null if there are none",
    }),
    consecutive_failures: z.int().min(0).meta({
      description:
        "The number of failed deliveries since the last successful one. A delivery fails when its last attempt fails. A success resets the number to 0. This number does not change the revision",
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
            ? "cannot be changed by an update: use rotate to replace or clear it"
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
  description: "A value replaces the secret, null clears it, and an absent member leaves it unchanged",
});
export type NotificationChannelRotate = z.output<typeof NotificationChannelRotate>;
