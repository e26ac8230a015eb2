import { capabilities, type Capability } from "@belfry/contract/remote";
import { parseAddress } from "../transports/address.ts";

/** How a client recognizes its daemon. */
export type RemoteTrust =
  /** By the daemon's own root, and by nothing else. */
  | {
      readonly kind: "root";
      /** The root in PEM. */
      readonly certificate: string;
    }
  /** By the public key of a certificate from elsewhere. */
  | {
      readonly kind: "key";
      /** The SHA-256 of the public key (SPKI), in hexadecimal. */
      readonly publicKeySha256: string;
      /** The authority of the certificate in PEM. Default: the authorities of this system. */
      readonly authority?: string | undefined;
    };

/**
 * Everything that a client needs to reach, to recognize and to use a remote daemon. It is plain JSON. `accessToken` is a
 * secret: keep the profile in protected storage, and out of logs, arguments and sources.
 */
export interface RemoteProfile {
  /** Hosts with ports, such as `build.example.org:7443` and `[2001:db8::1]:7443`, in the order in which to try them. */
  readonly addresses: readonly string[];
  /** The identity of the installation. */
  readonly daemonId: string;
  readonly trust: RemoteTrust;
  readonly credentialId: string;
  readonly actorId: string;
  /** The capability that the client expects to have. With less, no call is made. */
  readonly capability: Capability;
  readonly accessToken: string;
}

/** Checks what a mistake in a stored profile would otherwise make a confusing error. No message contains the token. */
export function checkProfile(profile: RemoteProfile): void {
  if (!/^bat_[0-9A-Za-z_]+$/.test(profile.accessToken))
    throw new TypeError("The access token of the profile is malformed. Enrol again.");
  // every grant would be enough for a capability that does not exist
  if (!capabilities.includes(profile.capability))
    throw new TypeError(
      `${JSON.stringify(profile.capability)} is not a capability. The profile must expect one of ${capabilities.join(", ")}.`,
    );
  checkAddresses(profile.addresses);
}

/** Throws a `TypeError` unless there is at least one address, and each is a host with a port. */
export function checkAddresses(addresses: readonly string[]): void {
  if (addresses.length === 0)
    throw new TypeError("addresses is an empty list. Name at least one address of the daemon.");
  for (const address of addresses) parseAddress(address);
}

/** Makes the token invisible to `console.log`. `JSON.stringify` still writes it, because a profile must be stored. */
export function hideToken(profile: RemoteProfile): RemoteProfile {
  const print = () => ({ ...profile, accessToken: "(hidden)" });
  return Object.defineProperty({ ...profile }, Symbol.for("nodejs.util.inspect.custom"), { value: print });
}
