import {
  ApiError,
  ConnectionError,
  GrantReducedError,
  IdentityError,
  isApiError,
  isBelfryError,
  TimeoutError,
  TrustError,
  UncertainOutcomeError,
} from "@belfry/client";
import type { Command as Parser } from "commander";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { Failure } from "./failure.ts";
import { explainUncertainOutcome } from "./uncertain-outcome.ts";
import { withOptionNames } from "./option-names.ts";

/**
 * Turns any error into a message and an exit code, with the option names of the command that was `called`, or with the
 * names of the API if it is null. An unexpected error keeps its stack, for a bug report.
 */
export async function explainError(error: unknown, called: Parser | null): Promise<Failure> {
  if (error instanceof Failure) return error;
  if (error instanceof ApiError) return explainApiError(error, called);
  if (error instanceof UncertainOutcomeError) return explainUncertainOutcome(error, called);
  if (error instanceof TrustError)
    return new Failure(exitCodes.refused, error.message, { code: "untrusted", hint: untrustedHint });
  if (error instanceof IdentityError)
    return new Failure(exitCodes.refused, error.message, { code: "identity_changed", hint: untrustedHint });
  if (error instanceof GrantReducedError)
    return new Failure(exitCodes.refused, error.message, {
      code: "grant_reduced",
      hint: `To accept the lower one, run: belfry profile edit <profile> --capability ${error.actual}`,
    });
  if (error instanceof ConnectionError) {
    return new Failure(
      error.code === "EACCES" || error.code === "EPERM" ? exitCodes.refused : exitCodes.unreachable,
      error.message,
    );
  }
  if (error instanceof TimeoutError)
    return new Failure(exitCodes.unreachable, error.message, { hint: "Increase the limit with --request-timeout" });
  if (isBelfryError(error)) return new Failure(exitCodes.failed, error.message);
  if (isFileError(error))
    return new Failure(exitCodes.usage, `${error.path}: ${reasons[error.code ?? ""] ?? error.message}`);
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new Failure(exitCodes.failed, `internal error, please report it as a bug: ${stack}`);
}

const untrustedHint =
  "Nothing secret was sent. If you replaced or reset the daemon, pair again on its machine, and enrol with a new profile";

function explainApiError(error: ApiError, called: Parser | null): Failure {
  const { requestId } = error;
  const isUnnamed = error.status >= 500 && requestId !== null && !error.message.includes(requestId);
  const inLog = isUnnamed ? ` (request ${requestId} in the daemon's log)` : "";
  const sentence = called === null ? error.message : withOptionNames(called, error.field, error.message);
  const hint = isApiError(error, "credential_revoked") ? revokedHint : null;
  return new Failure(exitCodeOf(error), `${sentence}${inLog}`, { code: error.code, field: error.field, hint });
}

const revokedHint =
  "Remove the profile with: belfry profile remove <profile>\nFor new access, run belfry pair on the daemon's machine, and enrol again";

function exitCodeOf({ status, code }: ApiError): ExitCode {
  if (code === "not_found" || code === "trigger_unknown") return exitCodes.notFound;
  if (status === 401 || status === 403) return exitCodes.refused;
  // 409, 412 and internal errors are not caused by the command line
  return [400, 413, 415, 422, 431].includes(status) ? exitCodes.usage : exitCodes.failed;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "no such file or directory",
  EACCES: "permission denied",
  EISDIR: "is a directory. Give a file",
  ENOTDIR: "a part of the path is not a directory",
};

function isFileError(error: unknown): error is NodeJS.ErrnoException & { readonly path: string } {
  return error instanceof Error && "syscall" in error && "path" in error && typeof error.path === "string";
}
