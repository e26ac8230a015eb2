import type { Capability, Credential, Enrollment } from "@belfry/contract";
import { type Invitation, parseInvitation } from "@belfry/contract/remote";
import { type Answer, ApiPromise } from "../api-promise.ts";
import { isBelfryError } from "../errors.ts";
import type { Connection } from "../transports/connection.ts";
import type { TrustError } from "../trust-errors.ts";
import { isUncertainOutcomeError, UncertainOutcomeError } from "../uncertain-outcome-error.ts";
import { callOver, checkIdentity, requireIdentity } from "./check-daemon.ts";
import { connectTimeoutDefaultMs } from "./connect.ts";
import { Dialer } from "./dial.ts";
import { checkAddresses, hideToken, type RemoteProfile, type RemoteTrust } from "./profile.ts";

/** What `belfry pair` prints, and what the new credential should be. */
export interface EnrollOptions {
  /** The invitation, as one line. It is not secret. */
  readonly invitation: string;
  /** The secret phrase. Read it from a prompt or from standard input, never from an argument or a source. */
  readonly phrase: string;
  /** The name of the credential, such as the name of this machine. Default: the name of the actor. */
  readonly displayName?: string | undefined;
  /** The program that will hold the credential. Default: the kind of the pairing. */
  readonly kind?: Credential["kind"] | undefined;
  /** A lower capability than that of the pairing. */
  readonly capability?: Capability | undefined;
  /** The authority of the daemon's certificate in PEM, if the daemon uses a certificate from elsewhere that this system does not trust. */
  readonly authority?: string | undefined;
  /** Time limit for each address and for each request, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number | undefined;
  /** Aborts the enrolment. After the phrase was sent, its outcome is then uncertain. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the server at one address of several is not the daemon. Nothing was sent to it. */
  readonly onUntrustedAddress?: ((error: TrustError) => void) | undefined;
}

/**
 * Exchanges the phrase of a pairing for a credential. The phrase is sent only after the server has proved to be the invited
 * daemon, by its certificate and by its identity. Store the profile in protected storage; the token is never shown again.
 *
 * ```ts
 * const profile = await enrollRemote({ invitation, phrase });
 * await using client = connectRemote(profile);
 * ```
 *
 * @throws {TypeError} if the invitation is not complete
 * @throws {@link TrustError} if no address has the invited daemon; the phrase was not sent
 * @throws {@link IdentityError} if the daemon has another identity; the phrase was not sent, or its token was thrown away
 * @throws {@link UnauthorizedError} if the phrase is wrong, or the pairing was used or has expired
 * @throws {@link UncertainOutcomeError} if the answer was lost: revoke the credential if there is one, and pair again
 */
export async function enrollRemote(options: EnrollOptions): Promise<RemoteProfile> {
  const invitation = parseInvitation(options.invitation);
  if (invitation === null) {
    throw new TypeError("The invitation is not complete. Copy the whole line that `belfry pair` printed.");
  }
  checkAddresses(invitation.addresses);
  return (await enroll(invitation, options)).data;
}

async function enroll(invitation: Invitation, options: EnrollOptions): Promise<Answer<RemoteProfile>> {
  const { timeoutMs = connectTimeoutDefaultMs, signal, onUntrustedAddress } = options;
  const { addresses, daemonId } = invitation;
  const trust = trustOf(invitation, options.authority);
  const check = (connection: Connection) => checkIdentity(connection, { daemonId, accessToken: null, timeoutMs });
  const dialer = new Dialer({ addresses, daemonId, trust, timeoutMs, check, onUntrustedAddress });
  const connection = await dialer.open(signal ?? new AbortController().signal);
  try {
    const { data: enrolled, response } = await sendPhrase(connection, invitation, options);
    const first = connection.address.text;
    requireIdentity(enrolled.daemon_id, { expected: daemonId, address: first });
    const profile: RemoteProfile = {
      // the address that answered comes first
      addresses: [first, ...addresses.filter((other) => other !== first)],
      daemonId,
      trust,
      credentialId: enrolled.credential_id,
      actorId: enrolled.actor_id,
      capability: enrolled.capability,
      accessToken: enrolled.access_token,
    };
    return { data: hideToken(profile), response };
  } catch (error) {
    if (!isUncertainOutcomeError(error) || !isBelfryError(error.cause)) throw error;
    throw new UncertainOutcomeError<RemoteProfile>({
      operation: error.operation,
      idempotencyKey: null,
      cause: error.cause,
      advice: "Look for a new credential on the daemon's machine, revoke it, and pair again.",
      findOutcome: () => Promise.resolve("unknown"),
      // without the signal: its abort may have lost the answer
      retry: () => new ApiPromise(enroll(invitation, { ...options, signal: undefined })),
    });
  } finally {
    connection.close();
  }
}

function sendPhrase(
  connection: Connection,
  { pairingId, daemonId }: Invitation,
  options: EnrollOptions,
): Promise<Answer<Enrollment>> {
  const { phrase, displayName, kind, capability, signal, timeoutMs = connectTimeoutDefaultMs } = options;
  const body = { pairing_id: pairingId, phrase, daemon_id: daemonId, display_name: displayName, kind, capability };
  const caller = callOver(connection, { accessToken: null, timeoutMs });
  return caller.call("access.enroll", { body, options: { signal } }).withResponse();
}

/** Clients keep the root as PEM, as Node and other programs read it. */
function trustOf({ trust }: Invitation, authority: string | undefined): RemoteTrust {
  if (trust.kind === "key") return { ...trust, authority };
  const lines = btoa(String.fromCharCode(...trust.certificate)).match(/.{1,64}/g) ?? [];
  return { kind: "root", certificate: `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n` };
}
