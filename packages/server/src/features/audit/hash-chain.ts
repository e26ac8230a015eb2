import { createHash } from "node:crypto";
import { canonicalJson } from "../../kernel/canonical-json.ts";
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
