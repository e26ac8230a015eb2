import { type ApiError, isApiError, isCompatibilityError, isConnectionError, isTimeoutError } from "@belfry/client";
import { ShellError } from "../shell/shell.ts";

export { isApiError, isConnectionError };

export interface DescribedError {
  readonly title: string;
  readonly text: string;
  readonly requestId: string | null;
}

/**
 * What to show of an error: what happened, and what to do. A read is repeated by itself, but a change that was not sent is
 * not.
 */
export function describeError(error: unknown, of: "read" | "change" = "read"): DescribedError {
  if (isApiError(error))
    return { title: titleOf(error), text: textOf(error.code, error.message), requestId: error.requestId };
  if (isCutOff(error)) return { title: titles["shell_unreachable"]!, text: hintOf(error.cause), requestId: null };
  if (isConnectionError(error))
    return {
      title: "The daemon does not answer",
      text: `${sentence(error.message)} ${of === "read" ? "This page continues by itself when it answers again." : notSent}`,
      requestId: null,
    };
  if (isCompatibilityError(error))
    return { title: titles["incompatible"]!, text: textOf("incompatible", error.message), requestId: null };
  if (error instanceof ShellError) return { title: titles[error.code] ?? wrong, text: hintOf(error), requestId: null };
  if (isTimeoutError(error))
    return {
      title: "The answer takes too long",
      text: of === "read" ? error.message : `${error.message} ${notSent}`,
      requestId: null,
    };
  return {
    title: wrong,
    text: error instanceof Error ? error.message : String(error),
    requestId: null,
  };
}

/** Not even what is between the screens and the daemon answers, so nothing is known of the daemon. */
export function isCutOff(error: unknown): error is Error & { readonly cause: ShellError } {
  return isConnectionError(error) && error.cause instanceof ShellError && error.cause.code === "shell_unreachable";
}

const notSent = "The change was not sent. Send it again when the daemon answers.";

function titleOf({ code, status }: ApiError): string {
  return titles[code] ?? (status >= 500 ? "The daemon has a problem" : "The daemon refused this");
}

const wrong = "Something went wrong";

function textOf(code: string, message: string): string {
  const remedy = remedies[code];
  return remedy === undefined ? sentence(message) : `${sentence(message)} ${remedy}`;
}

/** The shell says itself what to do, or there is the general remedy. */
function hintOf({ code, message, hint }: ShellError): string {
  if (hint === null) return textOf(code, message);
  // a terminal shows each of them in a line of its own
  return [message, ...hint.split("\n")].map(sentence).join(" ");
}

const titles: Readonly<Record<string, string>> = {
  not_found: "Not found",
  forbidden: "Not allowed",
  validation_failed: "A value is not allowed",
  conflict: "This conflicts with the current state",
  precondition_failed: "Somebody changed this meanwhile",
  unauthorized: "No access",
  credential_revoked: "Access was revoked",
  rate_limited: "Too many requests",
  untrusted: "This is not the daemon that was paired",
  identity_changed: "The daemon has another identity",
  grant_reduced: "Less is allowed than before",
  malformed_answer: "The answer is not a daemon's",
  incompatible: "The versions do not fit",
  session_ended: "This page has no session",
  closed: "The session has ended",
  shell_unreachable: "No answer from belfry ui",
  usage: "A value is not allowed",
  refused: "This was refused",
  failed: "This did not work",
  unreachable: "The daemon does not answer",
  uncertain: "The result is unknown",
};

/** What to do, where the message does not say it. */
const remedies: Readonly<Record<string, string>> = {
  untrusted:
    "Nothing secret was sent. Check the address on the Connections page; if the daemon was set up anew, pair it again.",
  identity_changed:
    "Nothing secret was sent. If the daemon was set up anew or restored elsewhere, pair it again on the Connections page.",
  grant_reduced: "To accept the lower one, run belfry profile edit with --capability.",
  malformed_answer: "Check the address on the Connections page, and any proxy in between.",
  incompatible: "Update Belfry on this computer or on the daemon's, so that both have the same version.",
};

/** The shell was asked for a change, and whether it was carried out is unknown: its answer, or the daemon's, was lost. */
export function isShellUncertain(error: unknown): error is ShellError {
  return error instanceof ShellError && ["uncertain", "shell_unreachable"].includes(error.code);
}

export function isForbiddenCode(error: unknown): boolean {
  return isApiError(error) && error.code === "forbidden";
}

/** Somebody else changed it after it was read. */
export function isOutdatedCode(error: unknown): boolean {
  return isApiError(error) && error.code === "precondition_failed";
}

export function isNotFound(error: unknown): boolean {
  return isApiError(error) && error.code === "not_found";
}

/** The daemon's words on one member of a change, or on something inside of it, such as the second item of a list. */
export function fieldError(error: unknown, field: string): string | null {
  if (!isApiError(error) || error.field === null) return null;
  return error.field === field || error.field.startsWith(`${field}.`) ? sentence(error.message) : null;
}

/** The daemon's errors are clauses, for the command to put its own words before them. */
export function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
