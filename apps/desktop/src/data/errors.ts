import { type ApiError, isApiError, isConnectionError, isTimeoutError } from "@belfry/client";

export { isApiError, isConnectionError };

export interface DescribedError {
  readonly title: string;
  readonly text: string;
  readonly requestId: string | null;
}

/** What to show of an error: what happened, and what to do. */
export function describeError(error: unknown): DescribedError {
  if (isApiError(error)) return { title: titleOf(error), text: sentence(error.message), requestId: error.requestId };
  if (isConnectionError(error))
    return {
      title: "The daemon does not answer",
      text: `${error.message} This page continues by itself when it answers again.`,
      requestId: null,
    };
  if (isTimeoutError(error)) return { title: "The answer takes too long", text: error.message, requestId: null };
  return {
    title: "Something went wrong",
    text: error instanceof Error ? error.message : String(error),
    requestId: null,
  };
}

function titleOf({ code, status }: ApiError): string {
  return titles[code] ?? (status >= 500 ? "The daemon has a problem" : "The daemon refused this");
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
};

export function isForbiddenCode(error: unknown): boolean {
  return isApiError(error) && error.code === "forbidden";
}

export function isNotFound(error: unknown): boolean {
  return isApiError(error) && error.code === "not_found";
}

/** The daemon's words on one member of a change. */
export function fieldError(error: unknown, field: string): string | null {
  return isApiError(error) && error.field === field ? sentence(error.message) : null;
}

/** The daemon's errors are clauses, for the command to put its own words before them. */
export function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
