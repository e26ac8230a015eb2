import { ApiError, ConnectionError, isBelfryError, TimeoutError, UncertainOutcomeError } from "@belfry/client";
import type { Command as Parser } from "commander";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { Failure } from "./failure.ts";
import { explainUncertainOutcome } from "./uncertain-outcome.ts";
import { withOptionNames } from "./option-names.ts";

/**
 * Any error as a sentence and an exit code, in the words of the command that was `called`. What nobody foresaw keeps its
 * stack, for a report.
 */
export async function explainError(error: unknown, called: Parser): Promise<Failure> {
  if (error instanceof Failure) return error;
  if (error instanceof ApiError) return explainRefusal(error, called);
  if (error instanceof UncertainOutcomeError) return explainUncertainOutcome(error, called.args[0]);
  if (error instanceof ConnectionError) {
    return new Failure(
      error.code === "EACCES" || error.code === "EPERM" ? exitCodes.refused : exitCodes.unreachable,
      error.message,
    );
  }
  if (error instanceof TimeoutError)
    return new Failure(exitCodes.unreachable, error.message, { hint: "Wait longer with --request-timeout" });
  if (isBelfryError(error)) return new Failure(exitCodes.failed, error.message);
  if (isFileError(error))
    return new Failure(exitCodes.usage, `${error.path}: ${reasons[error.code ?? ""] ?? error.message}`);
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new Failure(exitCodes.failed, `this is a mistake in belfry itself: ${stack}`);
}

function explainRefusal(error: ApiError, called: Parser): Failure {
  const { requestId } = error;
  const isUnnamed = error.status >= 500 && requestId !== null && !error.message.includes(requestId);
  const inLog = isUnnamed ? ` (request ${requestId} in the daemon's log)` : "";
  const sentence = withOptionNames(called, error.field, error.message);
  return new Failure(exitCodeOf(error), `${sentence}${inLog}`, { code: error.code, field: error.field });
}

function exitCodeOf({ status, code }: ApiError): ExitCode {
  if (code === "not_found" || code === "trigger_unknown") return exitCodes.notFound;
  if (status === 401 || status === 403) return exitCodes.refused;
  // 409, 412 and whatever failed inside are no mistakes of the command line
  return [400, 413, 415, 422, 431].includes(status) ? exitCodes.usage : exitCodes.failed;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "it may not be read",
  EISDIR: "it is a directory, where a file is read",
  ENOTDIR: "what leads to it is no directory",
};

function isFileError(error: unknown): error is NodeJS.ErrnoException & { readonly path: string } {
  return error instanceof Error && "syscall" in error && "path" in error && typeof error.path === "string";
}
