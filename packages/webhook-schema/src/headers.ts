/** The headers of a delivery, as the daemon writes them. Header names are case-insensitive. */
export const webhookHeaders = {
  /** Equal to `delivery.id`. */
  delivery: "X-Service-Delivery",
  /** Equal to `event`. */
  event: "X-Service-Event",
  /** The delivery id for Standard Webhooks. Sent, like the next two, if the channel has a signing secret. */
  id: "webhook-id",
  /** The time of the attempt, in whole seconds since 1970. */
  timestamp: "webhook-timestamp",
  /** Signatures separated by spaces, each `v1,` and base64. */
  signature: "webhook-signature",
} as const;

/** A web `Headers`, the `headers` of a Node request, or any record of names and values. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Reads one header, or null. A repeated header is joined by commas, as `Headers` does, and so matches nothing. */
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
