import { limits } from "@belfry/contract";
import { AppError } from "../../kernel/errors/errors.ts";
import { commonHeaders, envelopeOfError } from "./envelope.ts";

export interface RefusalOf {
  readonly requestId: string;
  readonly version: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers a refused or failed call. An unexpected error is in the log, and its text is not in the answer. */
export function answerRefusal(error: unknown, { requestId, version, headers }: RefusalOf): Response {
  const { status, body } = envelopeOfError(
    error instanceof AppError
      ? error
      : new AppError("internal", "the daemon failed to handle the request", { cause: error }),
  );
  const sent = {
    "Content-Type": "application/json",
    ...commonHeaders(requestId, version),
    ...(status === 401 ? { "WWW-Authenticate": "Bearer" } : {}),
    ...(status === 429 ? { "Retry-After": String(limits.retryAfterSeconds) } : {}),
    ...headers,
  };
  return new Response(JSON.stringify(body), { status, headers: sent });
}
