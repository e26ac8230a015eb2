/** The length of a SHA-256 hash, which signs the webhooks. */
const secretBytes = 32;

/**
 * Generates a signing secret for a channel: `whsec_` and the base64 of 32 bytes from the platform's cryptographic random
 * source. Pass it to `notificationChannels.create` or `rotate`, and to the receiver. The daemon never shows it again.
 */
export function generateSigningSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(secretBytes));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}
