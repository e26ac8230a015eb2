import { z } from "zod";

/** The section `[remote]`. */
export interface RemoteConfig {
  readonly enabled: boolean;
  /** The address to listen on. */
  readonly host: string;
  readonly port: number;
  /** Other hosts by which clients reach the daemon, each with or without a port. */
  readonly advertise: readonly string[];
  /** The PEM files of a certificate from elsewhere; null for one that the daemon makes. */
  readonly certificate: string | null;
  readonly key: string | null;
  readonly authority: string | null;
  /** Whether remote callers with `manage` may set what runs. */
  readonly commands: boolean;
  readonly limits: RemoteLimits;
}

/** The section `[remote.limits]`. */
export interface RemoteLimits {
  /** Of one address. */
  readonly enrollmentsPerMinute: number;
  /** Of one address: public requests, failed access tokens and unknown paths. */
  readonly publicRequestsPerMinute: number;
  /** Of one actor. */
  readonly requestsPerSecond: number;
  readonly requestsBurst: number;
  readonly unauthenticatedConnections: number;
  readonly unauthenticatedConnectionsPerAddress: number;
  readonly connections: number;
  readonly connectionsPerCredential: number;
}

export const defaultRemoteLimits: RemoteLimits = {
  enrollmentsPerMinute: 5,
  publicRequestsPerMinute: 60,
  requestsPerSecond: 50,
  requestsBurst: 100,
  unauthenticatedConnections: 64,
  unauthenticatedConnectionsPerAddress: 8,
  connections: 2_000,
  connectionsPerCredential: 200,
};

export const defaultRemote: RemoteConfig = {
  enabled: false,
  host: "::",
  port: 7443,
  advertise: [],
  certificate: null,
  key: null,
  authority: null,
  commands: false,
  limits: defaultRemoteLimits,
};

const count = z.int().min(1).max(1_000_000).optional();
const text = z.string().min(1);

export const RemoteSection = z.strictObject({
  enabled: z.boolean().optional(),
  host: text.optional(),
  port: z.int().min(1).max(65_535).optional(),
  advertise: z.array(text).optional(),
  certificate: text.optional(),
  key: text.optional(),
  authority: text.optional(),
  commands: z.boolean().optional(),
  limits: z
    .strictObject({
      enrollments_per_minute: count,
      public_requests_per_minute: count,
      requests_per_second: count,
      requests_burst: count,
      unauthenticated_connections: count,
      unauthenticated_connections_per_address: count,
      connections: count,
      connections_per_credential: count,
    })
    .optional(),
});

/** Fills in the defaults. `resolvePath` makes a path absolute: it is relative to the configuration file. */
export function readRemote(
  section: z.output<typeof RemoteSection> = {},
  resolvePath: (path: string) => string,
): RemoteConfig {
  const { limits = {}, certificate, key, authority, ...rest } = section;
  const pathOf = (path: string | undefined): string | null => (path === undefined ? null : resolvePath(path));
  const of = defaultRemoteLimits;
  return {
    enabled: rest.enabled ?? defaultRemote.enabled,
    host: rest.host ?? defaultRemote.host,
    port: rest.port ?? defaultRemote.port,
    advertise: rest.advertise ?? defaultRemote.advertise,
    certificate: pathOf(certificate),
    key: pathOf(key),
    authority: pathOf(authority),
    commands: rest.commands ?? defaultRemote.commands,
    limits: {
      enrollmentsPerMinute: limits.enrollments_per_minute ?? of.enrollmentsPerMinute,
      publicRequestsPerMinute: limits.public_requests_per_minute ?? of.publicRequestsPerMinute,
      requestsPerSecond: limits.requests_per_second ?? of.requestsPerSecond,
      requestsBurst: limits.requests_burst ?? of.requestsBurst,
      unauthenticatedConnections: limits.unauthenticated_connections ?? of.unauthenticatedConnections,
      unauthenticatedConnectionsPerAddress:
        limits.unauthenticated_connections_per_address ?? of.unauthenticatedConnectionsPerAddress,
      connections: limits.connections ?? of.connections,
      connectionsPerCredential: limits.connections_per_credential ?? of.connectionsPerCredential,
    },
  };
}
