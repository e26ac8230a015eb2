import { type ErrorCode, errorStatus } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { errorsOf, type Operation } from "../core/operation.ts";

const mebibytes = (bytes: number) => `${bytes / 1024 ** 2} MiB`;

/** What a reader of the document is told about each code. */
const meanings: Record<ErrorCode, string> = {
  validation_failed: "The request is malformed or breaks a rule; `field` names the member at fault",
  forbidden: "The actor lacks the capability",
  origin_rejected: "The request came from a web page",
  not_found: "There is no such resource; `field` names the member that refers to it, if one does",
  method_not_allowed: "The path exists, but not for this method; `Allow` names those it takes",
  request_timeout: "The request did not arrive in time",
  conflict: "The present state does not allow it; look again before another try",
  precondition_failed: "The resource has another revision than `If-Match` says",
  payload_too_large: `The body is over ${mebibytes(limits.bodyBytesMax)}, or as an import over ${mebibytes(limits.importBodyBytesMax)}`,
  unsupported_media_type: "The body is not `application/json`",
  headers_too_large: "The headers are over the limit",
  trigger_unknown: "No trigger has this key",
  trigger_disabled: "The trigger is disabled",
  trigger_target_missing: "The trigger's task no longer exists",
  trigger_command_incomplete: "The trigger's task has no command yet",
  trigger_task_inactive: "The trigger's task is a draft or archived",
  trigger_task_disabled: "The trigger's task is disabled",
  trigger_group_blocked: "A group above the trigger's task is disabled",
  trigger_dispatch_unavailable:
    "Nothing can be started now: the daemon is stopping, its runner does not answer, or the task's queue is full",
  internal: "Something went wrong in the daemon; its log has the request's id",
  audit_unavailable: "The audit trail could not be written, so nothing was changed",
};

/** By status, a reference to the response that names the codes an operation answers with there. */
export function failuresOf(operation: Operation) {
  const references = codesByStatus(operation).map(([status, codes]) => [
    status,
    { $ref: `#/components/responses/${nameOf(codes)}` },
  ]);
  return Object.fromEntries(references) as Record<number, { $ref: string }>;
}

/** Every response that `failuresOf` refers to, by name. */
export function failureResponses(operations: readonly Operation[], envelope: object) {
  const codeSets = operations.flatMap(codesByStatus).map(([, codes]) => codes);
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

function codesByStatus(operation: Operation): [status: number, codes: ErrorCode[]][] {
  return [...Map.groupBy(errorsOf(operation), (code) => errorStatus[code])];
}

/** `["forbidden", "origin_rejected"]` is `ForbiddenOrOriginRejected`. */
function nameOf(codes: readonly ErrorCode[]): string {
  const words = (code: string) => code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return codes.map(words).join("Or");
}
