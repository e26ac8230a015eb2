import { errorStatus } from "@belfry/contract";
import { AppError, describeError, findDamage, isStorageFailure, StorageGoneError } from "./errors.ts";
import type { Log } from "../log/log.ts";

/** The call that failed, and where its failure is told. */
interface FailedCall {
  readonly operation: string;
  readonly requestId: string;
  readonly log: Log;
}

/**
 * What the caller is told of a failure. Every answer of 500 and above has a line in the log under its request's id: what
 * nobody foresaw with its cause, and none with anything of the request.
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

/** The audit row of a refusal cannot be written, for whatever reason: a call that leaves no evidence is not answered. */
export function explainUnaudited(error: unknown, call: FailedCall): AppError {
  const refusal = explainFailure(error, call);
  if (refusal.code === "audit_unavailable") return refusal;
  return new AppError(
    "audit_unavailable",
    `the audit trail cannot be written, so nothing was changed; the daemon's log has the details under ${call.requestId}`,
    { cause: error },
  );
}

function unforeseen(cause: unknown, requestId: string): AppError {
  if (cause instanceof StorageGoneError) {
    return new AppError(
      "audit_unavailable",
      "the daemon's database was removed or replaced while it runs, so nothing was changed: `belfry doctor` says what to do",
      { cause },
    );
  }
  if (isStorageFailure(cause)) {
    return new AppError(
      "audit_unavailable",
      "the daemon cannot write to its database, so nothing was changed: its disk may be full or failing, or another program may hold it",
      { cause },
    );
  }
  const damage = findDamage(cause);
  if (damage !== null) {
    return new AppError(
      "internal",
      `${damage.message}; the daemon's log has the details under ${requestId}, and \`belfry doctor --database\` lists the damage`,
      { cause },
    );
  }
  const message = `something went wrong in the daemon; its log has the details under ${requestId}`;
  return new AppError("internal", message, { cause });
}
