import type { ErrorCode, TriggerFireCode } from "@belfry/contract";
import { BelfryError } from "./errors.ts";

/** What an answer that is not 2xx said. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly field: string | null;
  readonly message: string;
  readonly requestId: string | null;
}

/** The daemon answered and refused. Classify by `code` or by class, not by `status`. */
export class ApiError extends BelfryError {
  readonly status: number;
  /** A code of the contract, one of a newer daemon as it came, or `http_<status>` where the answer carried none. */
  readonly code: ErrorCode | (string & {});
  /** Dotted path of the member at fault, or null. */
  readonly field: string | null;
  /** Names this call: in the daemon's log where `status` is 500 or above, and as `request_id` in the audit trail where it is audited. */
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

/** 400: the request is malformed or a value is not allowed; `field` names it. */
export class ValidationError extends ApiError {
  declare readonly code: "validation_failed";
  override get name(): string {
    return "ValidationError";
  }
}

/** 403: the caller lacks the capability that the operation needs. */
export class ForbiddenError extends ApiError {
  declare readonly code: "forbidden";
  override get name(): string {
    return "ForbiddenError";
  }
}

/** 403: the request came from a web page. */
export class OriginRejectedError extends ApiError {
  declare readonly code: "origin_rejected";
  override get name(): string {
    return "OriginRejectedError";
  }
}

/** 404: no such resource, or none named by the body where `field` is set. */
export class NotFoundError extends ApiError {
  declare readonly code: "not_found";
  override get name(): string {
    return "NotFoundError";
  }
}

/** 405: the path exists, the method on it does not. */
export class MethodNotAllowedError extends ApiError {
  declare readonly code: "method_not_allowed";
  override get name(): string {
    return "MethodNotAllowedError";
  }
}

/** 408: the request took too long to arrive. */
export class RequestTimeoutError extends ApiError {
  declare readonly code: "request_timeout";
  override get name(): string {
    return "RequestTimeoutError";
  }
}

/** 409: the resource is not in a state that allows this. Do not retry; look at it first. */
export class ConflictError extends ApiError {
  declare readonly code: "conflict";
  override get name(): string {
    return "ConflictError";
  }
}

/** 412: `ifMatch` is not the resource's revision any more: somebody changed it. */
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

/** 415: the body is not JSON by its content type. */
export class UnsupportedMediaTypeError extends ApiError {
  declare readonly code: "unsupported_media_type";
  override get name(): string {
    return "UnsupportedMediaTypeError";
  }
}

/** 431: the headers are larger than the daemon accepts. */
export class HeadersTooLargeError extends ApiError {
  declare readonly code: "headers_too_large";
  override get name(): string {
    return "HeadersTooLargeError";
  }
}

/** 404, 409 or 503: a fire made no run. `code` says why: the key, the trigger, its task, a group, or nothing can start now. */
export class TriggerFireError extends ApiError {
  declare readonly code: TriggerFireCode;
  override get name(): string {
    return "TriggerFireError";
  }
}

/** 500: a fault of the daemon; its log has more under `requestId`. */
export class InternalError extends ApiError {
  declare readonly code: "internal";
  override get name(): string {
    return "InternalError";
  }
}

/** 503: the audit trail cannot be written, so nothing was changed. */
export class AuditUnavailableError extends ApiError {
  declare readonly code: "audit_unavailable";
  override get name(): string {
    return "AuditUnavailableError";
  }
}

const classByCode = {
  validation_failed: ValidationError,
  forbidden: ForbiddenError,
  origin_rejected: OriginRejectedError,
  not_found: NotFoundError,
  method_not_allowed: MethodNotAllowedError,
  request_timeout: RequestTimeoutError,
  conflict: ConflictError,
  precondition_failed: PreconditionFailedError,
  payload_too_large: PayloadTooLargeError,
  unsupported_media_type: UnsupportedMediaTypeError,
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

/** The error of a refusal, in the class of its code; a code that this version does not know stays a plain {@link ApiError}. */
export function toApiError(refusal: Refusal): ApiError {
  const isKnown = Object.hasOwn(classByCode, refusal.code);
  return new (isKnown ? classByCode[refusal.code as ErrorCode] : ApiError)(refusal);
}

/** Whether the daemon refused, for whatever reason. */
export function isApiError(error: unknown): error is ApiError;
/** Whether the daemon refused with this very code: `isApiError(error, "conflict")` makes it a {@link ConflictError}. */
export function isApiError<C extends ErrorCode>(error: unknown, code: C): error is ApiErrorByCode[C];
export function isApiError(error: unknown, code?: ErrorCode): boolean {
  return error instanceof ApiError && (code === undefined || error.code === code);
}
