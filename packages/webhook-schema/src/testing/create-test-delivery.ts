import { webhookHeaders } from "../headers.ts";
import type { WebhookPayload } from "../payload.ts";
import { readSecrets, sign } from "../signature.ts";
import { fixtures } from "./fixtures.ts";

/** What the delivery carries, and how it is signed; all of it may be left out. */
export interface TestDeliveryOptions {
  /** `fixtures.success` unless given. */
  readonly payload?: WebhookPayload;
  /** In place of the payload's own: a new delivery of the same content. */
  readonly deliveryId?: string;
  /** The channel's signing secret; two sign as a daemon does while one replaces the other. */
  readonly secret?: string | readonly string[];
  /** The instant of the signature, in milliseconds since 1970 or as a `Date`; now unless given. */
  readonly now?: number | Date;
  /** The channel's authorization, sent as it is. */
  readonly authorization?: string;
}

/** A request as a daemon sends it, to be handed to a receiver under test. */
export interface TestDelivery {
  readonly method: "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * A request as the daemon makes it, for the tests of a receiver: `fetch(url, await createTestDelivery({ secret }))`.
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
