import { createHmac } from "node:crypto";
import type { Instant } from "../../../kernel/time/time.ts";
import type { Target } from "../../channels/index.ts";

/**
 * Creates the headers of Standard Webhooks, with one signature for each secret that is still valid. Without such a
 * secret it creates none.
 */
export function signatureHeaders(
  of: { readonly id: string; readonly body: string; readonly target: Target },
  now: Instant,
): Readonly<Record<string, string>> {
  const signing = of.target.signingSecrets.filter(({ until }) => until === null || until > now);
  if (signing.length === 0) return {};
  const timestamp = String(Math.floor(now / 1_000));
  const signatures = signing.map(({ secret }) => {
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    return `v1,${createHmac("sha256", key).update(`${of.id}.${timestamp}.${of.body}`).digest("base64")}`;
  });
  return { "webhook-id": of.id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
