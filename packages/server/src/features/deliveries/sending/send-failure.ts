import { limits } from "@belfry/contract";

/** The phase in which an attempt failed. */
export type Phase = "resolving" | "connecting" | "answering";

/** The daemon ended the attempt. The message contains no secret. */
export class Refused extends Error {}

const waitingFor: Record<Phase, string> = {
  resolving: "the host name lookup",
  connecting: "the connection",
  answering: "the response",
};

/** Codes for exhausted resources of the daemon: no request was made, and the receiver did not fail. */
const exhaustionCodes = new Set(["EMFILE", "ENFILE", "ENOMEM", "ENOBUFS", "EAGAIN"]);

const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed before a response arrived",
  EPIPE: "the connection was closed before a response arrived",
  ETIMEDOUT: "the connection timed out",
  EHOSTUNREACH: "the host is unreachable",
  ENETUNREACH: "the network is unreachable",
  EADDRNOTAVAIL: "the address is not available from this machine",
  ENOTFOUND: "the host name does not exist",
  ENODATA: "the host name has no address",
  ETIMEOUT: "the name servers do not respond",
  ESERVFAIL: "the name servers failed",
  EREFUSED: "the name servers refused the lookup",
};

/** Describes a failure by its code alone, because an error's message may contain secrets. */
export function describeFailure(error: unknown, phase: Phase): string {
  if (error instanceof Refused) return error.message;
  const code = codeOf(error);
  const known = sentences[code];
  if (known !== undefined) return `${known} (${code})`;
  if (/CERT|SELF_SIGNED|UNABLE_TO|ISSUER|CHAIN|CRL|HOSTNAME|PURPOSE|ERR_TLS/.test(code))
    return `the receiver's certificate was rejected (${code})`;
  if (/^(ERR_SSL|EPROTO)/.test(code)) return `the TLS handshake failed (${code})`;
  return `the request failed while waiting for ${waitingFor[phase]} (${code})`;
}

export function describeTimeout(phase: Phase): string {
  return `the attempt timed out after ${limits.webhookTimeoutMs / 1_000} s while waiting for ${waitingFor[phase]}`;
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

/** RFC 9110 defines no status above 599 or below 100. A 1xx status is interim and never ends an exchange. */
export function isFinalStatus(status: number): boolean {
  return status >= 200 && status <= 599;
}

/** Describes why a status is not a success. */
export function describeStatus(status: number): string {
  if (!isFinalStatus(status))
    return `the receiver responded with status ${status}, which is not a final HTTP status (200 to 599)`;
  const isRedirect = status >= 300 && status < 400;
  return `the receiver responded with status ${status}${isRedirect ? "; redirects are not followed" : ""}`;
}

/**
 * Whether resources were exhausted before the request was sent. Once a connection is made, the receiver may have seen
 * the request, so the attempt counts.
 */
export function isUnsentForResources(error: unknown, phase: Phase): boolean {
  return (phase === "resolving" || phase === "connecting") && exhaustionCodes.has(codeOf(error));
}

/** Returns the code of an error. If several addresses failed, the first error of the AggregateError counts. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "UNKNOWN";
  if ("code" in error && typeof error.code === "string")
    return /^[\w.-]{1,60}$/.test(error.code) ? error.code : "UNKNOWN";
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return error.cause === undefined ? "UNKNOWN" : codeOf(error.cause);
}
