import type { AuditEvent } from "@belfry/client";
import { createHash } from "node:crypto";

/**
 * Computes the hash that an event must have: SHA-256 of the previous hash and the RFC 8785 JSON of all other members. It
 * does not use the daemon's code, so that it also checks that code.
 */
export function hashEvent({ hash: _own, previous_hash: previous, ...members }: AuditEvent): string {
  return createHash("sha256")
    .update(previous ?? "")
    .update(canonicalJson(members))
    .digest("hex");
}

/** RFC 8785 for values without numbers that JSON.stringify would write differently: an event has none. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(",")}}`;
}
