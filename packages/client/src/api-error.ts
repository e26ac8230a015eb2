import type { ErrorCode, TriggerFireCode } from "@belfry/contract";
import { BelfryError } from "./errors.ts";

/** The error body of an answer whose status is not 2xx. */
export interface Refusal {
  /** The HTTP status. */
  readonly status: number;
  readonly code: string;
  /** Dotted path of the member with the error, or null. */
  readonly field: string | null;
  readonly message: string;
  /** The `X-Request-Id` of the answer, or null. */
  readonly requestId: string | null;
}

/** The daemon rejected the call. Classify by `code` or by class, not by `status`. */
export class ApiError extends BelfryError {
  /** The HTTP status. */
  readonly status: number;
  /** A code of the contract, an unknown code of a newer daemon, or `http_<status>` if the answer had no code. */
  readonly code: ErrorCode | (string & {});
  /** Dotted path of the member with the error, such as `retry.delay`, or null. */
  readonly field: string | null;
  /** The id of this call: the `request_id` of its audit row, if it is audited. If `status` is 500 or above, the daemon's log has it too. */
  readonly requestId: string | null;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.status = refusal.status;
    this.code = refusal.code;
    this.field = refusal.field;
    this.requestId = refusal.requestId;
  }

  override get name(): string {
    return "ApiError";
  }
}

/** 400: the request is malformed, or a value is not allowed. `field` names the member. */
export class ValidationError extends ApiError {
  declare readonly code: "validation_failed";
  override get name(): string {
    return "ValidationError";
  }
}

/** 401: the call has no valid access token, or its actor has expired. Only a remote daemon answers so. */
export class UnauthorizedError extends ApiError {
  declare readonly code: "unauthorized";
  override get name(): string {
    return "UnauthorizedError";
  }
}

/** 401: the credential or its actor was revoked. The caller needs a new credential. Only a remote daemon answers so. */
export class CredentialRevokedError extends ApiError {
  declare readonly code: "credential_revoked";
  override get name(): string {
    return "CredentialRevokedError";
  }
}

/** 403: the caller lacks the capability that the operation needs. */
export class ForbiddenError extends ApiError {
  declare readonly code: "forbidden";
  override get name(): string {
    return "ForbiddenError";
  }
}

/** 403: the request came from a browser. */
export class OriginRejectedError extends ApiError {
  declare readonly code: "origin_rejected";
  override get name(): string {
    return "OriginRejectedError";
  }
}

/** 404: the resource does not exist. If `field` is set, the body names a resource that does not exist. */
export class NotFoundError extends ApiError {
  declare readonly code: "not_found";
  override get name(): string {
    return "NotFoundError";
  }
}

/** 405: the path exists, but not with this method. */
export class MethodNotAllowedError extends ApiError {
  declare readonly code: "method_not_allowed";
  override get name(): string {
    return "MethodNotAllowedError";
  }
}

/** 408: the daemon did not receive the whole request in time. */
export class RequestTimeoutError extends ApiError {
  declare readonly code: "request_timeout";
  override get name(): string {
    return "RequestTimeoutError";
  }
}

/** 409: the state of the resource does not allow the call. Read the resource before you try again. */
export class ConflictError extends ApiError {
  declare readonly code: "conflict";
  override get name(): string {
    return "ConflictError";
  }
}

/** 412: the resource has changed, and `ifMatch` is no longer its revision. */
export class PreconditionFailedError extends ApiError {
  declare readonly code: "precondition_failed";
  override get name(): string {
    return "PreconditionFailedError";
  }
}

/** 413: the body is larger than the daemon accepts. */
export class PayloadTooLargeError extends ApiError {
  declare readonly code: "payload_too_large";
  override get name(): string {
    return "PayloadTooLargeError";
  }
}

/** 415: the body is not declared as JSON in UTF-8, or has a `Content-Encoding`. */
export class UnsupportedMediaTypeError extends ApiError {
  declare readonly code: "unsupported_media_type";
  override get name(): string {
    return "UnsupportedMediaTypeError";
  }
}

/** 429: too many requests from this address or actor. Wait for a second before the next one. Only a remote daemon answers so. */
export class RateLimitedError extends ApiError {
  declare readonly code: "rate_limited";
  override get name(): string {
    return "RateLimitedError";
  }
}

/** 431: the headers are larger than the daemon accepts. */
export class HeadersTooLargeError extends ApiError {
  declare readonly code: "headers_too_large";
  override get name(): string {
    return "HeadersTooLargeError";
  }
}

/** 404, 409 or 503: firing a trigger created no run. `code` gives the cause: the key, the trigger, its task, a group, or the daemon. */
export class TriggerFireError extends ApiError {
  declare readonly code: TriggerFireCode;
  override get name(): string {
    return "TriggerFireError";
  }
}

/** 500: an internal error of the daemon. The daemon's log has a line with `requestId`. */
export class InternalError extends ApiError {
  declare readonly code: "internal";
  override get name(): string {
    return "InternalError";
  }
}

/** 503: the daemon cannot write its audit trail, so nothing was changed. */
export class AuditUnavailableError extends ApiError {
  declare readonly code: "audit_unavailable";
  override get name(): string {
    return "AuditUnavailableError";
  }
}

const classByCode = {
  validation_failed: ValidationError,
  unauthorized: UnauthorizedError,
  credential_revoked: CredentialRevokedError,
  forbidden: ForbiddenError,
  origin_rejected: OriginRejectedError,
  not_found: NotFoundError,
  method_not_allowed: MethodNotAllowedError,
  request_timeout: RequestTimeoutError,
  conflict: ConflictError,
  precondition_failed: PreconditionFailedError,
  payload_too_large: PayloadTooLargeError,
  unsupported_media_type: UnsupportedMediaTypeError,
  rate_limited: RateLimitedError,
  headers_too_large: HeadersTooLargeError,
  trigger_unknown: TriggerFireError,
  trigger_disabled: TriggerFireError,
  trigger_target_missing: TriggerFireError,
  trigger_command_incomplete: TriggerFireError,
  trigger_task_inactive: TriggerFireError,
  trigger_task_disabled: TriggerFireError,
  trigger_group_blocked: TriggerFireError,
  trigger_dispatch_unavailable: TriggerFireError,
  internal: InternalError,
  audit_unavailable: AuditUnavailableError,
} as const satisfies {
  readonly [C in ErrorCode]: new (
    refusal: Refusal,
  ) => ApiError & { readonly code: C extends TriggerFireCode ? TriggerFireCode : C };
};

/** The error class of each code. */
export type ApiErrorByCode = { readonly [C in ErrorCode]: InstanceType<(typeof classByCode)[C]> };

/** Creates an error of the class for its code. A code that this version does not know stays a plain {@link ApiError}. */
export function toApiError(refusal: Refusal): ApiError {
  const isKnown = Object.hasOwn(classByCode, refusal.code);
  return new (isKnown ? classByCode[refusal.code as ErrorCode] : ApiError)(refusal);
}

/** Whether the daemon rejected the call, for any reason. */
export function isApiError(error: unknown): error is ApiError;
/** Whether the daemon rejected the call with this code: `isApiError(error, "conflict")` narrows it to a {@link ConflictError}. */
export function isApiError<C extends ErrorCode>(error: unknown, code: C): error is ApiErrorByCode[C];
export function isApiError(error: unknown, code?: ErrorCode): boolean {
  return error instanceof ApiError && (code === undefined || error.code === code);
}
