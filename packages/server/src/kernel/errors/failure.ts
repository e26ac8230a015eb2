import { errorStatus } from "@belfry/contract";
import { AppError, describeError, findDamage, isStorageFailure, StorageGoneError } from "./errors.ts";
import type { Log } from "../log/log.ts";

/** The call that failed, and the log for its failure. */
interface FailedCall {
  readonly operation: string;
  readonly requestId: string;
  readonly log: Log;
}

/**
 * Returns the error for the caller. Every answer of 500 and above has a log line with the request's id. The line of an
 * unexpected error has its cause; no line has any part of the request.
 */
export function explainFailure(error: unknown, { operation, requestId, log }: FailedCall): AppError {
  const refusal = error instanceof AppError ? error : unforeseen(error, requestId);
  const { code } = refusal;
  const status = errorStatus[code];
  const fields = { operation, request_id: requestId, status, code };
  if (refusal !== error) log.error("request.failed", { ...fields, error: describeError(error) });
  else if (status >= 500) log.warn("request.refused", fields);
  return refusal;
}

/** Returns the error for a refused call whose audit row cannot be written. It replaces the refusal. */
export function explainUnaudited(error: unknown, call: FailedCall): AppError {
  const refusal = explainFailure(error, call);
  if (refusal.code === "audit_unavailable") return refusal;
  return new AppError(
    "audit_unavailable",
    `the audit trail cannot be written, so the operation was not carried out: see request ${call.requestId} in the daemon's log`,
    { cause: error },
  );
}

function unforeseen(cause: unknown, requestId: string): AppError {
  if (cause instanceof StorageGoneError) {
    return new AppError(
      "audit_unavailable",
      "the database was removed or replaced while the daemon was running, so nothing was changed: run `belfry doctor`",
      { cause },
    );
  }
  if (isStorageFailure(cause)) {
    return new AppError(
      "audit_unavailable",
      "the daemon cannot write to its database, so nothing was changed: check whether the disk is full or failing, or whether another program has locked the database",
      { cause },
    );
  }
  const damage = findDamage(cause);
  if (damage !== null) {
    return new AppError(
      "internal",
      `${damage.message}: see request ${requestId} in the daemon's log, and run \`belfry doctor --database\` to list the damage`,
      { cause },
    );
  }
  const message = `the daemon failed to handle the request: see request ${requestId} in the daemon's log`;
  return new AppError("internal", message, { cause });
}
