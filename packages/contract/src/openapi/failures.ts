import { type ErrorCode, errorStatus } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { errorsOf, type Operation, type Transport } from "../core/operation.ts";

const mebibytes = (bytes: number) => `${bytes / 1024 ** 2} MiB`;

/** The description of each code in the document. */
const meanings: Record<ErrorCode, string> = {
  validation_failed: "The request is malformed or breaks a rule; `field` is the invalid member",
  unauthorized: "The request has no valid access token",
  credential_revoked: "The credential or its actor was revoked; the caller needs a new credential",
  forbidden: "The actor does not have the required capability",
  origin_rejected: "The request came from a web page",
  not_found: "The resource does not exist; `field` is the member that refers to it, if any",
  method_not_allowed: "The path does not support this method; `Allow` lists the supported ones",
  request_timeout: "The request did not arrive in time",
  conflict: "The current state does not allow the operation; reload the resource before you try again",
  precondition_failed: "The revision of the resource does not match `If-Match`",
  payload_too_large: `The body is larger than ${mebibytes(limits.bodyBytesMax)}. For an import: larger than ${mebibytes(limits.importBodyBytesMax)}, or more than ${limits.importValuesMax.toLocaleString("en")} values and member names`,
  unsupported_media_type: "The body is not `application/json` in UTF-8, or has a `Content-Encoding`",
  rate_limited: "Too many requests from this address or actor; wait for the seconds of `Retry-After`",
  headers_too_large: "The address and the headers together are larger than 16 KiB",
  trigger_unknown: "No trigger has this key",
  trigger_disabled: "The trigger is disabled",
  trigger_target_missing: "The trigger's task no longer exists",
  trigger_command_incomplete: "The trigger's task has no command yet",
  trigger_task_inactive: "The trigger's task is a draft or archived",
  trigger_task_disabled: "The trigger's task is disabled",
  trigger_group_blocked: "A group that contains the trigger's task is disabled",
  trigger_dispatch_unavailable:
    "No run can start now, because the task is held, the daemon is stopping, its runner does not respond, or the task's queue is full",
  internal: "The daemon failed to handle the request; its log has the details under the request's id",
  audit_unavailable: "The audit trail could not be written, so the operation was not carried out",
};

/** Returns, for each status, a reference to the response that lists its error codes. */
export function failuresOf(operation: Operation, transport: Transport) {
  const references = codesByStatus(operation, transport).map(([status, codes]) => [
    status,
    { $ref: `#/components/responses/${nameOf(codes)}` },
  ]);
  return Object.fromEntries(references) as Record<number, { $ref: string }>;
}

/** Returns every response that `failuresOf` refers to, by name. */
export function failureResponses(operations: readonly Operation[], transport: Transport, envelope: object) {
  const codeSets = operations.flatMap((operation) => codesByStatus(operation, transport)).map(([, codes]) => codes);
  return new Map(codeSets.map((codes) => [nameOf(codes), failureResponse(codes, envelope)]));
}

function failureResponse(codes: readonly ErrorCode[], envelope: object) {
  const [code = "internal"] = codes;
  return {
    description: codes.map((each) => `\`${each}\`: ${meanings[each]}.`).join("\n\n"),
    "x-error-codes": codes,
    content: {
      "application/json": { schema: envelope, example: { error: { code, field: null, message: meanings[code] } } },
    },
  };
}

function codesByStatus(operation: Operation, transport: Transport): [status: number, codes: ErrorCode[]][] {
  return [...Map.groupBy(errorsOf(operation, transport), (code) => errorStatus[code])];
}

/** Names a response: `["forbidden", "origin_rejected"]` is `ForbiddenOrOriginRejected`. */
function nameOf(codes: readonly ErrorCode[]): string {
  const words = (code: string) => code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return codes.map(words).join("Or");
}
