import { createHash } from "node:crypto";
import type { AuditRow } from "./table.ts";
import { viewAuditEvent } from "./view.ts";

/**
 * Hashes the previous hash and the RFC 8785 JSON of the other members with SHA-256. To change a row, every later row
 * must change too.
 */
export function hashOf(row: Omit<AuditRow, "number" | "hash">): string {
  const { hash: _own, previous_hash: previous, ...rest } = viewAuditEvent({ ...row, number: 0, hash: "" });
  return createHash("sha256")
    .update(previous ?? "")
    .update(canonicalJson(rest))
    .digest("hex");
}

/**
 * Writes RFC 8785 JSON for the values of an audit event: strings, null and lists of strings. Members are sorted by
 * UTF-16 code units.
 */
export function canonicalJson(value: Readonly<Record<string, string | null | readonly string[]>>): string {
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${JSON.stringify(value[name])}`);
  return `{${members.join(",")}}`;
}
