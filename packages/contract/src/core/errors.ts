import { z } from "zod";

/** Every error code with its HTTP status; the only place that knows the status of an error (contract: Errors). */
export const errorStatus = {
  validation_failed: 400,
  // only the remote transport answers with these two, and with `rate_limited`: local callers need no credential
  unauthorized: 401,
  credential_revoked: 401,
  forbidden: 403,
  origin_rejected: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  headers_too_large: 431,
  trigger_unknown: 404,
  trigger_disabled: 409,
  trigger_target_missing: 409,
  trigger_command_incomplete: 409,
  trigger_task_inactive: 409,
  trigger_task_disabled: 409,
  trigger_group_blocked: 409,
  trigger_dispatch_unavailable: 503,
  internal: 500,
  audit_unavailable: 503,
} as const;

/** A code of this version. A newer daemon may send others: treat an unknown one by its HTTP status. */
export type ErrorCode = keyof typeof errorStatus;

/** Why a fire created no run. */
export type TriggerFireCode = Extract<ErrorCode, `trigger_${string}`>;

export const errorCodes = Object.keys(errorStatus) as ErrorCode[];

/** The body of every answer that is not 2xx. A newer daemon may send other values of `code`. */
export const ErrorEnvelope = z
  .object({
    error: z.object({
      code: z.string().meta({
        description: "The kind of error. Programs decide by this code, not by the HTTP status",
        examples: errorCodes.slice(0, 3),
      }),
      field: z.string().nullable().meta({ description: "The dotted path of the invalid member, or null" }),
      message: z.string().meta({ description: "What is wrong and how to fix it, for people" }),
    }),
  })
  .meta({ id: "ErrorEnvelope" });

export type ErrorEnvelope = z.output<typeof ErrorEnvelope>;
