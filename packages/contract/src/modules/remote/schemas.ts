import { z } from "zod";
import { limits } from "../../core/limits.ts";
import { orNull, Timestamp } from "../../core/scalars.ts";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const host = z.string().min(1).max(limits.hostCharactersMax);
const port = z.int().min(1).max(65_535);
const path = z
  .string()
  .min(1)
  .max(limits.watchedPathBytesMax)
  .refine((text) => text.startsWith("/") && !text.includes("\0"), "must be an absolute path such as /etc/ssl/build.pem")
  .meta({ pattern: String.raw`^/[^\u0000]*$` });

const members = {
  host: host.meta({ description: "The address to listen on: `::` for all, or one of this machine", examples: ["::"] }),
  port: port.meta({ examples: [7443] }),
  advertise: z
    .array(host)
    .max(limits.advertisedMax)
    .meta({
      description:
        "Other host names and addresses by which clients reach the daemon, such as that of a router; they are in invitations and in the certificate",
      examples: [["build.example.org"]],
    }),
};

/** The certificate that the daemon presents. */
export const RemoteCertificate = z
  .object({
    source: z.enum(["own", "configured"]).meta({
      description: "`own`: made and renewed by the daemon under its own root. `configured`: files that you provide",
    }),
    root_sha256: orNull(sha256).meta({
      description: "The fingerprint of the daemon's root, which its clients trust; null for a configured certificate",
    }),
    certificate_sha256: sha256,
    public_key_sha256: sha256.meta({ description: "The fingerprint of its public key (SPKI)" }),
    names: z.array(z.string()),
    not_before: Timestamp,
    expires_at: Timestamp,
  })
  .meta({ id: "RemoteCertificate" });
export type RemoteCertificate = z.output<typeof RemoteCertificate>;

/** The remote API of this daemon (contract: Remote HTTPS adapter). */
export const Remote = z
  .object({
    enabled: z.boolean(),
    listening: z.boolean(),
    problem: z
      .string()
      .nullable()
      .meta({ description: "Why the remote API is enabled but not reachable; null if it is" }),
    ...members,
    addresses: z
      .array(z.string())
      .meta({ description: "Where clients may reach the daemon: a host or address, and a port" }),
    allows_commands: z.boolean().meta({
      description: "Whether remote callers with `manage` may set commands and working directories",
    }),
    certificate: orNull(RemoteCertificate).meta({ description: "Null until the remote API is enabled" }),
    connections: z.int().min(0).meta({ description: "The number of open connections" }),
  })
  .meta({ id: "Remote" });
export type Remote = z.output<typeof Remote>;

/** Members that are absent keep their configured value. */
export const RemoteEnable = z
  .strictObject({
    host: members.host.optional(),
    port: members.port.optional(),
    advertise: members.advertise.optional(),
    certificate: orNull(path)
      .optional()
      .meta({ description: "A PEM file with your own certificate and its chain; null for one that the daemon makes" }),
    key: orNull(path).optional().meta({ description: "A PEM file with the private key of `certificate`" }),
    authority: orNull(path).optional().meta({
      description: "A PEM file with the authority of `certificate`, if the clients' systems do not trust it",
    }),
  })
  .meta({ id: "RemoteEnable" });
export type RemoteEnable = z.output<typeof RemoteEnable>;

export const RemoteRenew = z
  .strictObject({
    root: z.boolean().default(false).meta({
      description: "Also make a new root. Every client must then enrol again, because it trusts only the former root",
    }),
  })
  .meta({ id: "RemoteRenew" });
export type RemoteRenew = z.output<typeof RemoteRenew>;
