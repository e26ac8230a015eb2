import { WebhookParseError } from "./errors.ts";
import { readHeader, webhookHeaders, type WebhookHeaders } from "./headers.ts";
import { isSignedBy, readSecrets } from "./signature.ts";

export const toleranceDefaultMs = 5 * 60_000;

/** What a signature is judged by (receiver guide: Signatures). */
export interface SignatureOptions {
  /**
   * The channel's signing secret, `whsec_` and base64; several while one replaces another. Leave it out to take
   * deliveries unsigned: as `undefined` it is refused, because a variable that is not set must not open the door.
   */
  readonly secret?: string | readonly string[];
  /** How far the signature's time may lie from now, both ways, in milliseconds; five minutes unless given. */
  readonly toleranceMs?: number;
  /** The instant to judge that by, in milliseconds since 1970 or as a `Date`; for tests. */
  readonly now?: number | Date;
}

/** Standard Webhooks: the signature first, so that whoever holds no secret learns nothing of the clock either. */
export async function checkSignature(
  headers: WebhookHeaders,
  body: Uint8Array,
  options: SignatureOptions,
): Promise<void> {
  const secrets = readSecrets(options.secret);
  const [id, timestamp, signature] = [webhookHeaders.id, webhookHeaders.timestamp, webhookHeaders.signature].map(
    (name) => {
      const value = readHeader(headers, name);
      if (value !== null) return value;
      throw new WebhookParseError("unauthorized", `${name} is missing: has the channel a signing secret?`, name);
    },
  ) as [string, string, string];
  if (!(await isSignedBy(secrets, signature, { id, timestamp, body }))) {
    throw new WebhookParseError(
      "unauthorized",
      "No signature fits: another secret, or a body that is not byte for byte the one that was sent.",
      webhookHeaders.signature,
    );
  }
  checkTime(timestamp, options);
}

function checkTime(timestamp: string, { toleranceMs = toleranceDefaultMs, now = Date.now() }: SignatureOptions): void {
  const ageMs = Number(now) - (/^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1000 : Number.NaN);
  // written so that NaN, from whichever side, does not pass
  if (Math.abs(ageMs) <= toleranceMs) return;
  const why = ageMs > 0 ? "an old delivery was sent again" : "the sender's runs ahead";
  throw new WebhookParseError(
    "unauthorized",
    `The signature's time is not within ${toleranceMs / 1000} s of now: a clock is wrong, or ${why}.`,
    webhookHeaders.timestamp,
  );
}
