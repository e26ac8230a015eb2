import { type ErrorCode, type ErrorEnvelope, errorStatus } from "@belfry/contract";
import { AppError } from "../../kernel/errors/errors.ts";

/** Builds the body of every answer that is not 2xx. */
export function envelopeOf(code: ErrorCode, message: string, field: string | null = null): ErrorEnvelope {
  return { error: { code, field, message } };
}

export function envelopeOfError(error: AppError): { readonly status: number; readonly body: ErrorEnvelope } {
  return { status: errorStatus[error.code], body: envelopeOf(error.code, error.message, error.field) };
}

/** Returns the headers of every answer. */
export function commonHeaders(requestId: string, version: string): Record<string, string> {
  return { "X-Request-Id": requestId, "X-Service-Version": version, "Cache-Control": "no-store" };
}
