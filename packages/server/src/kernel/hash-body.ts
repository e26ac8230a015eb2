import { createHash } from "node:crypto";
import { canonicalJson } from "./canonical-json.ts";

/** Hashes a body as it was sent. Anyone can test a guess against this hash, so it is never stored. */
export function hashBody(sent: unknown): string {
  return createHash("sha256").update(canonicalJson(sent)).digest("hex");
}
