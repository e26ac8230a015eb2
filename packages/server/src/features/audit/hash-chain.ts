import { createHash } from "node:crypto";
import type { AuditRow } from "./table.ts";
import { viewAuditEvent } from "./view.ts";

/** SHA-256 of the previous hash and the RFC 8785 JSON of the other members: changing a row requires changing every later one. */
export function hashOf(row: Omit<AuditRow, "number" | "hash">): string {
  const { hash: _own, previous_hash: previous, ...rest } = viewAuditEvent({ ...row, number: 0, hash: "" });
  return createHash("sha256")
    .update(previous ?? "")
    .update(canonicalJson(rest))
    .digest("hex");
}

/** RFC 8785 for the values of an audit event, which are strings, null and lists of strings; members sorted by UTF-16 code units. */
export function canonicalJson(value: Readonly<Record<string, string | null | readonly string[]>>): string {
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${JSON.stringify(value[name])}`);
  return `{${members.join(",")}}`;
}
