import type { Client } from "@belfry/client";
import { formatLocal } from "../output/time.ts";
import type { Finding } from "./finding.ts";

const subject = "remote";
const dayMs = 86_400_000;
/** The daemon renews its own certificate long before this. */
const renewalDays = 14;

/** Checks that the remote API is reachable if it is enabled, and that its certificate does not expire soon. */
export async function checkRemote(client: Client, nowMs: number): Promise<Finding> {
  const { enabled, problem, addresses, certificate, allows_commands: allowsCommands } = await client.remote.get();
  if (!enabled) return { subject, level: "good", text: "the remote API is off" };
  if (problem !== null) return { subject, level: "bad", text: problem };
  const leftMs = certificate === null ? 0 : new Date(certificate.expires_at).getTime() - nowMs;
  const expiry = certificate === null ? "" : formatLocal(certificate.expires_at);
  if (certificate !== null && leftMs < renewalDays * dayMs)
    return {
      subject,
      level: "warn",
      text: `the certificate expires at ${expiry}. Replace its files and run belfry remote renew`,
    };
  const text = `on, at ${addresses.join(", ")}; certificate valid until ${expiry}`;
  if (!allowsCommands) return { subject, level: "good", text };
  // it may be intended, but it is as much as a login
  return {
    subject,
    level: "warn",
    text: `${text}; remote callers with manage can set what runs, as the daemon's user (commands = true)`,
  };
}
