/** Why a request is no webhook of ours, with the HTTP status that says so. */
export const webhookParseStatus = {
  /** No UTF-8, or no JSON. */
  not_json: 400,
  /** JSON, but no `service.webhook.v1`; `field` names the member. */
  schema: 400,
  /** A header that must repeat the body is missing or says something else; `field` names the header. */
  header_mismatch: 400,
  /** Not signed by a secret of ours, or not now. */
  unauthorized: 401,
  too_large: 413,
  unsupported_media_type: 415,
} as const;

export type WebhookParseReason = keyof typeof webhookParseStatus;

/** A request that must not be acted on. It repeats nothing of what was sent, so it can be logged and answered. */
export class WebhookParseError extends Error {
  readonly reason: WebhookParseReason;
  /** The member (`run.outcome`) or header at fault, or null. */
  readonly field: string | null;
  /** What to answer: 400, 401, 413 or 415. The daemon counts each as a failed attempt. */
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

/** Whether a request was refused, and not something of the receiver's own broken. */
export function isWebhookParseError(error: unknown): error is WebhookParseError {
  return error instanceof WebhookParseError;
}
