import { ApiError } from "./api-error.ts";
import { ConnectionError, TimeoutError } from "./errors.ts";

/** Retries of a GET after its first attempt. */
export const retriesDefault = 2;

/** Statuses of temporary failures. */
export const transientStatuses: readonly number[] = [408, 429, 500, 502, 503, 504];

/** Failures that waiting does not fix: missing permissions, a path that can never be a socket, and a closed client. */
const permanentCodes: readonly (string | null)[] = [
  "EACCES",
  "EPERM",
  "ENOTSOCK",
  "ENOTDIR",
  "EINVAL",
  "ENAMETOOLONG",
  "ERR_CLIENT_CLOSED",
];

/** Whether a read that failed with this error may succeed when repeated. Mutations are never repeated. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionError) return !permanentCodes.includes(error.code);
  if (error instanceof ApiError) return transientStatuses.includes(error.status);
  return error instanceof TimeoutError;
}
