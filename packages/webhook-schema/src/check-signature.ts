import { WebhookParseError } from "./errors.ts";
import { readHeader, webhookHeaders, type WebhookHeaders } from "./headers.ts";
import { isSignedBy, readSecrets } from "./signature.ts";

export const toleranceDefaultMs = 5 * 60_000;

/** The options of the signature check (receiver guide: Signatures). */
export interface SignatureOptions {
  /**
   * The channel's signing secret, `whsec_` and base64, or several during a rotation. Omit it to accept unsigned deliveries.
   * `undefined` throws a `TypeError`, because an unset variable must not disable the check.
   */
  readonly secret?: string | readonly string[];
  /** How far the signature's time may differ from `now` in both directions, in milliseconds. Default: five minutes. */
  readonly toleranceMs?: number;
  /** The current time, in milliseconds since 1970 or as a `Date`; for tests. */
  readonly now?: number | Date;
}

/** Checks a Standard Webhooks signature. The signature comes first, so a sender without the secret learns nothing about the clock. */
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
      throw new WebhookParseError(
        "unauthorized",
        `${name} is missing. Check that the channel has a signing secret.`,
        name,
      );
    },
  ) as [string, string, string];
  if (!(await isSignedBy(secrets, signature, { id, timestamp, body }))) {
    throw new WebhookParseError(
      "unauthorized",
      "No signature matches. The receiver's secret is not the channel's, or the body is not byte for byte the signed body.",
      webhookHeaders.signature,
    );
  }
  checkTime(timestamp, options);
}

function checkTime(timestamp: string, { toleranceMs = toleranceDefaultMs, now = Date.now() }: SignatureOptions): void {
  const ageMs = Number(now) - (/^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1000 : Number.NaN);
  // a NaN on either side does not pass
  if (Math.abs(ageMs) <= toleranceMs) return;
  const cause =
    ageMs > 0
      ? "A clock is wrong, or the request is a replay of an old one"
      : "The sender's clock is ahead, or this machine's clock is behind";
  throw new WebhookParseError(
    "unauthorized",
    `The signature's time must be within ${toleranceMs / 1000} s of now. ${cause}.`,
    webhookHeaders.timestamp,
  );
}
