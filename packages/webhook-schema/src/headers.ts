/** The headers that tell of a delivery, as they are sent; names of headers are alike in any case. */
export const webhookHeaders = {
  /** Equal to `delivery.id`. */
  delivery: "X-Service-Delivery",
  /** Equal to `event`. */
  event: "X-Service-Event",
  /** Those of Standard Webhooks, sent by a channel that has a signing secret. */
  id: "webhook-id",
  /** Whole seconds since 1970, of the attempt. */
  timestamp: "webhook-timestamp",
  /** Signatures with a space between them: `v1,` and base64 each. */
  signature: "webhook-signature",
} as const;

/** A web `Headers`, the `headers` of a Node request, or any record of names and values. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** One header's value, or null. What was sent twice is joined by a comma, as `Headers` does, and so equals nothing. */
export function readHeader(headers: WebhookHeaders, name: string): string | null {
  if (isWebHeaders(headers)) return headers.get(name);
  const wanted = name.toLowerCase();
  const values = Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === wanted)
    .flatMap(([, value]) => value ?? []);
  return values.length === 0 ? null : values.join(", ");
}

function isWebHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers["get"] === "function";
}
