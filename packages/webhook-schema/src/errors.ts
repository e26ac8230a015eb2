/** The reasons why a request is not a valid webhook, each with the HTTP status for the response. */
export const webhookParseStatus = {
  /** The body is not UTF-8, or not JSON. */
  not_json: 400,
  /** The body is JSON, but not `service.webhook.v1`. `field` names the member. */
  schema: 400,
  /** A header that must equal a member of the body is missing or differs. `field` names the header. */
  header_mismatch: 400,
  /** The signature is missing, does not match, or is too old or too new. */
  unauthorized: 401,
  /** The body has more than 64 KiB. */
  too_large: 413,
  /** The content type is not `application/json`. */
  unsupported_media_type: 415,
} as const;

export type WebhookParseReason = keyof typeof webhookParseStatus;

/** The request is not a valid webhook: do not process it. The error contains nothing of the request, so it can be logged and sent back. */
export class WebhookParseError extends Error {
  readonly reason: WebhookParseReason;
  /** The member (such as `run.outcome`) or header with the error, or null. */
  readonly field: string | null;
  /** The HTTP status for the response: 400, 401, 413 or 415. The daemon counts each as a failed attempt. */
  readonly status: (typeof webhookParseStatus)[WebhookParseReason];

  constructor(reason: WebhookParseReason, message: string, field: string | null = null) {
    super(message);
    this.reason = reason;
    this.field = field;
    this.status = webhookParseStatus[reason];
  }

  override get name(): string {
    return "WebhookParseError";
  }
}

/** Whether the error says that the request is invalid. Any other error is a fault of the receiver. */
export function isWebhookParseError(error: unknown): error is WebhookParseError {
  return error instanceof WebhookParseError;
}
