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
import { asWritten } from "./output/hints.ts";
import { explainUncertainOutcome } from "./uncertain-outcome.ts";
import { withOptionNames } from "./option-names.ts";

/** How a daemon on another machine was reached. */
export interface RemoteAccess {
  readonly profile: string;
  /** The file of `BELFRY_TOKEN_FILE`, whose token replaced that of the profile. */
  readonly tokenFile: string | null;
}

interface ErrorContext {
  /** The command whose option names the message uses; null for the names of the API. */
  readonly called: Parser | null;
  readonly access?: RemoteAccess | null;
}

/** Turns any error into a message and an exit code. An unexpected error keeps its stack, for a bug report. */
export async function explainError(error: unknown, { called, access = null }: ErrorContext): Promise<Failure> {
  if (error instanceof Failure) return error;
  if (error instanceof ApiError) return explainApiError(error, { called, access });
  if (error instanceof UncertainOutcomeError) return explainUncertainOutcome(error, called);
  if (error instanceof TrustError)
    return new Failure(exitCodes.refused, error.message, {
      code: "untrusted",
      text: asWritten(error.message),
      hint: clockCodes.includes(error.code) ? null : enrolAgain,
    });
  if (error instanceof IdentityError)
    return new Failure(exitCodes.refused, error.message, { code: "identity_changed", hint: enrolAgain });
  if (error instanceof GrantReducedError)
    return new Failure(exitCodes.refused, error.message, {
      code: "grant_reduced",
      hint: `To accept the lower one, run: belfry profile edit ${access?.profile ?? "<profile>"} --capability ${error.actual}`,
    });
  if (error instanceof ConnectionError) {
    return new Failure(
      error.code === "EACCES" || error.code === "EPERM" ? exitCodes.refused : exitCodes.unreachable,
      error.message,
      isElsewhere({ called, access })
        ? { text: asWritten(error.message) }
        : { hint: called !== null && noDaemonCodes.includes(error.code ?? "") ? otherDaemon : null },
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

/** Whether the daemon is on another machine. An enrolment calls one that has no profile yet. */
function isElsewhere({ called, access = null }: ErrorContext): boolean {
  return access !== null || called?.name() === "enroll";
}

/** The socket does not exist, or nobody listens on it. */
const noDaemonCodes: readonly string[] = ["ENOENT", "ECONNREFUSED"];

const otherDaemon =
  "If it runs as another user or with another data directory, name that one with --data-dir <dir> or --socket <path>";

/** Certificates that become valid with time, or by a renewal: the profile stays right. */
const clockCodes: readonly string[] = ["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"];

const enrolAgain = asWritten(
  "If you replaced or reset the daemon, run belfry pair on its machine, and here belfry enroll with another --name",
);

function explainApiError(error: ApiError, { called, access = null }: ErrorContext): Failure {
  const { requestId } = error;
  const isUnnamed = error.status >= 500 && requestId !== null && !error.message.includes(requestId);
  const inLog = isUnnamed ? ` (request ${requestId} in the daemon's log)` : "";
  const sentence = called === null ? error.message : withOptionNames(called, error.field, error.message);
  const hint = explainToken(error, access);
  return new Failure(exitCodeOf(error), `${sentence}${inLog}`, { code: error.code, field: error.field, hint });
}

function explainToken(error: ApiError, access: RemoteAccess | null): string | null {
  const isRevoked = isApiError(error, "credential_revoked");
  if (access !== null && access.tokenFile !== null && (isRevoked || isApiError(error, "unauthorized")))
    return `The token is that of ${access.tokenFile}, which BELFRY_TOKEN_FILE names. Correct the file, or unset the variable to use the token of profile ${JSON.stringify(access.profile)}`;
  return isRevoked
    ? `Remove the profile with: belfry profile remove ${access?.profile ?? "<profile>"}\n${asWritten("For new access, run belfry pair on the daemon's machine, and enrol again")}`
    : null;
}

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
