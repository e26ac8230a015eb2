import { webhookHeaders } from "../headers.ts";
import type { WebhookPayload } from "../payload.ts";
import { readSecrets, sign } from "../signature.ts";
import { fixtures } from "./fixtures.ts";

/** The content and the signature of a test delivery. All members are optional. */
export interface TestDeliveryOptions {
  /** The payload. Default: `fixtures.success`. */
  readonly payload?: WebhookPayload;
  /** Replaces the payload's `delivery.id`, for a new delivery of the same content. */
  readonly deliveryId?: string;
  /** The channel's signing secret, or several, as the daemon uses them after a rotation. Default: unsigned. */
  readonly secret?: string | readonly string[];
  /** The time of the signature, in milliseconds since 1970 or as a `Date`. Default: now. */
  readonly now?: number | Date;
  /** The channel's authorization, sent unchanged. */
  readonly authorization?: string;
}

/** A request as the daemon sends it, for a receiver under test. */
export interface TestDelivery {
  readonly method: "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Creates a request as the daemon sends it, to test a receiver: `fetch(url, await createTestDelivery({ secret }))`.
 *
 * @throws TypeError if a secret is invalid.
 */
export async function createTestDelivery(options: TestDeliveryOptions = {}): Promise<TestDelivery> {
  const { payload: given = fixtures.success, deliveryId = given.delivery.id, authorization } = options;
  const payload: WebhookPayload = { ...given, delivery: { ...given.delivery, id: deliveryId } };
  const body = JSON.stringify(payload);
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": `service/${payload.daemon.version}`,
    [webhookHeaders.delivery]: deliveryId,
    [webhookHeaders.event]: payload.event,
    ...(authorization === undefined ? {} : { Authorization: authorization }),
    ...("secret" in options ? await signatureHeaders(deliveryId, body, options) : {}),
  };
  return { method: "POST", headers, body };
}

async function signatureHeaders(id: string, body: string, { secret, now = Date.now() }: TestDeliveryOptions) {
  const parts = { id, timestamp: String(Math.floor(Number(now) / 1000)), body: new TextEncoder().encode(body) };
  const signatures = await Promise.all(readSecrets(secret).map((each) => sign(each, parts)));
  return {
    [webhookHeaders.id]: id,
    [webhookHeaders.timestamp]: parts.timestamp,
    [webhookHeaders.signature]: signatures.join(" "),
  };
}
