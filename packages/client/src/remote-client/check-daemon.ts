import type { Manifest } from "@belfry/contract";
import { isCapabilityEnough } from "@belfry/contract/remote";
import { isApiError } from "../api-error.ts";
import { Caller } from "../caller.ts";
import { CompatibilityError } from "../errors.ts";
import type { Connection } from "../transports/connection.ts";
import { GrantReducedError, IdentityError } from "../trust-errors.ts";
import type { RemoteProfile } from "./profile.ts";

const remoteCapability = "remote_api_v1";
const shownCharactersMax = 100;

/** How to call a daemon over a connection that no other call uses. */
export interface SingleCalls {
  /** Null for the operations that need no access token. */
  readonly accessToken: string | null;
  readonly timeoutMs: number;
}

/** Calls a daemon over one connection, without retries. */
export function callOver(connection: Connection, { accessToken, timeoutMs }: SingleCalls): Caller {
  const transport = connection.transport(accessToken);
  return new Caller({ transport, retries: 0, timeoutMs }, { isCompatible: true });
}

/** The identity that a daemon must have. */
export interface ExpectedIdentity {
  readonly daemonId: string;
  /** The token with which the client may ask when it is refused without one; null if it must not. */
  readonly accessToken: string | null;
  readonly timeoutMs: number;
}

/** Compares the identity of the daemon with the expected one, before any secret is sent over the connection. */
export async function checkIdentity(connection: Connection, expected: ExpectedIdentity): Promise<void> {
  const manifest: Partial<Manifest> | null = await readManifest(connection, expected);
  requireIdentity(manifest?.installation_id, { expected: expected.daemonId, address: connection.address.text });
  if (manifest?.capabilities?.includes(remoteCapability) === true) return;
  throw new CompatibilityError(
    `The daemon at ${connection.address.text} does not offer ${remoteCapability}, which this client uses. Update the side that is older. Nothing was changed.`,
  );
}

/**
 * Reads the manifest without the token. The daemon limits such calls for each address, so others behind the same address
 * may have used up the limit. It never refuses a valid token for that reason.
 */
async function readManifest(connection: Connection, { accessToken, timeoutMs }: ExpectedIdentity): Promise<Manifest> {
  try {
    return await callOver(connection, { accessToken: null, timeoutMs }).call("manifest.get");
  } catch (error) {
    if (accessToken === null || !isApiError(error, "rate_limited")) throw error;
    return callOver(connection, { accessToken, timeoutMs }).call("manifest.get");
  }
}

/** Compares the capability of the credential with the one that the profile expects. A higher one is accepted, and not adopted. */
export async function checkGrant(connection: Connection, profile: RemoteProfile, timeoutMs: number): Promise<void> {
  const caller = callOver(connection, { accessToken: profile.accessToken, timeoutMs });
  const { capability } = await caller.call("access.current");
  if (isCapabilityEnough(capability, profile.capability)) return;
  throw new GrantReducedError({ expected: profile.capability, actual: capability });
}

/** Throws unless the daemon has the expected identity. */
export function requireIdentity(
  actual: unknown,
  { expected, address }: { readonly expected: string; readonly address: string },
): void {
  if (actual === expected) return;
  const shown = String(actual).slice(0, shownCharactersMax);
  const message = `The daemon at ${address} is the installation ${JSON.stringify(shown)}, and this client expects ${JSON.stringify(expected)}. No call was sent to it. If the daemon was reset or replaced on purpose, enrol again.`;
  throw new IdentityError(message, { expected, actual: shown });
}
