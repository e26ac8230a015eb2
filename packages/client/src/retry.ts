import { ApiError } from "./api-error.ts";
import { ConnectionError, TimeoutError } from "./errors.ts";

/** Of a GET, besides its first try. */
export const retriesDefault = 2;

/** Answers that may be another one a moment later. */
export const transientStatuses: readonly number[] = [408, 429, 500, 502, 503, 504];

/** What no waiting mends: permissions, and a path that can never be a socket. */
const permanentCodes: readonly (string | null)[] = ["EACCES", "EPERM", "ENOTSOCK", "ENOTDIR", "EINVAL", "ENAMETOOLONG"];

/** Whether a read that failed so may succeed if it is tried again. Never asked for a mutation. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionError) return !permanentCodes.includes(error.code);
  if (error instanceof ApiError) return transientStatuses.includes(error.status);
  return error instanceof TimeoutError;
}
