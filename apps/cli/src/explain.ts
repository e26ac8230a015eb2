import { ApiError, ConnectionError, isBelfryError, TimeoutError, UncertainOutcomeError } from "@belfry/client";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { Failure } from "./failure.ts";

/** Any error as a sentence and an exit code. What nobody foresaw keeps its stack, for a report. */
export async function explain(error: unknown): Promise<Failure> {
  if (error instanceof Failure) return error;
  if (error instanceof ApiError) return explainRefusal(error);
  if (error instanceof UncertainOutcomeError) return settle(error);
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

function explainRefusal(error: ApiError): Failure {
  const member = error.field?.replace(/^(?:groups|tasks|schedules)\.\d+\./, "") ?? null;
  const where = member === null || error.message.includes(member) ? "" : `${member}: `;
  const { requestId } = error;
  const isUnnamed = error.status >= 500 && requestId !== null && !error.message.includes(requestId);
  const inLog = isUnnamed ? ` (request ${requestId} in the daemon's log)` : "";
  return new Failure(exitCodeOf(error), `${where}${error.message}${inLog}`, { code: error.code, field: error.field });
}

function exitCodeOf({ status, code }: ApiError): ExitCode {
  if (code === "not_found" || code === "trigger_unknown") return exitCodes.notFound;
  if (status === 401 || status === 403) return exitCodes.refused;
  // 409, 412 and whatever failed inside are no mistakes of the command line
  return [400, 413, 415, 422, 431].includes(status) ? exitCodes.usage : exitCodes.failed;
}

/** The daemon is asked whether the change is in effect; nothing is sent again. */
async function settle(error: UncertainOutcomeError): Promise<Failure> {
  const details = { code: "uncertain" };
  const lost = `the answer to ${error.operation} was lost`;
  switch (await error.settle()) {
    case "committed":
      return new Failure(exitCodes.uncertain, `${lost}, but the change is in effect; do not send it again`, details);
    case "not_committed":
      return new Failure(exitCodes.failed, `${lost}, and nothing was changed; it is safe to try again`, details);
    case "unknown":
      return new Failure(exitCodes.uncertain, `${lost}: it may or may not have taken effect`, {
        ...details,
        hint: "Look before you try again: belfry task list, belfry audit list",
      });
  }
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
