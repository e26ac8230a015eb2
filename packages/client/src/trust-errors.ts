import type { Capability } from "@belfry/contract";
import { BelfryError } from "./errors.ts";

/**
 * The server at an address did not prove that it is the daemon: it has another certificate or key, its certificate has
 * expired, or it does not offer TLS 1.3. Nothing was sent to it. The SDK never retries after this error.
 */
export class TrustError extends BelfryError {
  /** The address of the server, such as `build.example.org:7443`. */
  readonly address: string;
  /** The code of OpenSSL or Node, such as `CERT_HAS_EXPIRED`, or `KEY_NOT_PINNED` if the public key is another one. */
  readonly code: string;

  constructor(message: string, details: { readonly address: string; readonly code: string; readonly cause?: unknown }) {
    super(message, { cause: details.cause });
    this.address = details.address;
    this.code = details.code;
  }

  override get name(): string {
    return "TrustError";
  }
}

/**
 * The daemon has a trusted certificate, but the identity of another installation. Nothing but the check was sent to it,
 * and no access token is kept from it. The SDK never retries after this error.
 */
export class IdentityError extends BelfryError {
  /** The identity that the client expects. */
  readonly expected: string;
  /** The identity that the daemon has. */
  readonly actual: string;

  constructor(message: string, identities: { readonly expected: string; readonly actual: string }) {
    super(message);
    this.expected = identities.expected;
    this.actual = identities.actual;
  }

  override get name(): string {
    return "IdentityError";
  }
}

/** The client may do less than its profile expects. Nothing but the check was sent. The SDK never retries after this error. */
export class GrantReducedError extends BelfryError {
  /** The capability that the profile expects. */
  readonly expected: Capability;
  /** The capability that the daemon grants now. */
  readonly actual: Capability;

  constructor(grants: { readonly expected: Capability; readonly actual: Capability }) {
    super(
      `The daemon now grants this client ${grants.actual} only, and its profile expects ${grants.expected}. Ask for the former capability, or accept the lower one in the profile.`,
    );
    this.expected = grants.expected;
    this.actual = grants.actual;
  }

  override get name(): string {
    return "GrantReducedError";
  }
}

/** Whether a server did not prove that it is the daemon. */
export function isTrustError(error: unknown): error is TrustError {
  return error instanceof TrustError;
}

/** Whether a daemon with a trusted certificate has the identity of another installation. */
export function isIdentityError(error: unknown): error is IdentityError {
  return error instanceof IdentityError;
}

/** Whether the daemon grants the client less than its profile expects. */
export function isGrantReducedError(error: unknown): error is GrantReducedError {
  return error instanceof GrantReducedError;
}
