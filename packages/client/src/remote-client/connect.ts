import { Caller } from "../caller.ts";
import { type Client, createApis } from "../create-client.ts";
import type { ClientOptions } from "../options.ts";
import { remoteTransport } from "../transports/remote-https.ts";
import type { RemoteTransport } from "../transports/transport.ts";
import type { TrustError } from "../trust-errors.ts";
import { checkGrant, checkIdentity } from "./check-daemon.ts";
import { Dialer } from "./dial.ts";
import { checkProfile, type RemoteProfile } from "./profile.ts";

/** The default time limit for opening a connection and for each check, in milliseconds. */
export const connectTimeoutDefaultMs = 10_000;

/** The options of a remote client: defaults for all calls, and how to connect. */
export interface RemoteOptions extends Omit<ClientOptions, "transport"> {
  /** Time limit for each address, to open a connection and for each check of the daemon, in milliseconds. Default 10,000. */
  readonly connectTimeoutMs?: number | undefined;
  /** Called when the server at one address of several is not the daemon. Nothing was sent to it, and the next address is tried. */
  readonly onUntrustedAddress?: ((error: TrustError) => void) | undefined;
}

/** A client for a daemon on another machine. It keeps connections open until it is closed. */
export interface RemoteClient extends Client, AsyncDisposable {
  /** Closes all connections. Calls in progress fail, and so does every later call. */
  readonly close: () => void;
}

/**
 * Creates a client for a daemon on another machine. Each new connection is checked before anything else is sent over it:
 * the certificate, the identity of the daemon, and then that the credential still has the expected capability.
 *
 * ```ts
 * await using client = connectRemote(profile);
 * console.log(await client.tasks.list());
 * ```
 *
 * @throws {TypeError} if the profile is malformed
 */
export function connectRemote(profile: RemoteProfile, options: RemoteOptions = {}): RemoteClient {
  const { connectTimeoutMs, onUntrustedAddress, ...clientOptions } = options;
  const transport = profileTransport(profile, { connectTimeoutMs, onUntrustedAddress });
  // each connection is checked, so the first mutation needs no check of its own
  const caller = new Caller({ ...clientOptions, transport }, { isCompatible: true });
  const close = () => transport.close();
  return {
    ...createApis(caller),
    close,
    [Symbol.asyncDispose]: () => {
      close();
      return Promise.resolve();
    },
  };
}

/**
 * Creates the transport of {@link connectRemote}, for programs that pass on requests that others made, such as a gateway
 * for a browser. It adds the access token, and checks each new connection like `connectRemote`.
 *
 * @throws {TypeError} if the profile is malformed
 */
export function profileTransport(
  profile: RemoteProfile,
  options: Pick<RemoteOptions, "connectTimeoutMs" | "onUntrustedAddress"> = {},
): RemoteTransport {
  checkProfile(profile);
  const { connectTimeoutMs = connectTimeoutDefaultMs, onUntrustedAddress } = options;
  const { addresses, daemonId, trust, accessToken } = profile;
  const identity = {
    daemonId,
    // a certificate under the daemon's own root already proves the installation, whose identity its name contains
    accessToken: trust.kind === "root" ? accessToken : null,
    timeoutMs: connectTimeoutMs,
  };
  const dialer = new Dialer({
    addresses,
    daemonId,
    trust,
    onUntrustedAddress,
    timeoutMs: connectTimeoutMs,
    check: async (connection) => {
      await checkIdentity(connection, identity);
      await checkGrant(connection, profile, connectTimeoutMs);
    },
  });
  return remoteTransport((signal) => dialer.open(signal), accessToken);
}
