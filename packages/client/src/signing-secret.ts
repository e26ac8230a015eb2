/** As many as the hash behind a signature has. */
const secretBytes = 32;

/**
 * A new signing secret for a channel: `whsec_` and the base64 of 32 bytes from the platform's cryptographic random source.
 * Hand it to `notificationChannels.create` or `rotate` and to the receiver; the daemon never shows it again.
 */
export function generateSigningSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(secretBytes));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}
