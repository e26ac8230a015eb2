import type { AuditEvent } from "@belfry/client";
import type { StatusKind } from "../../components/status.tsx";

export type Result = AuditEvent["result"];

/** How each result looks, and its word. */
export const results: Readonly<Record<Result, readonly [StatusKind, string]>> = {
  allowed: ["success", "Allowed"],
  denied: ["cancelled", "Denied"],
  failed: ["failure", "Failed"],
};

export function resultIn(text: string | undefined): Result | undefined {
  return text !== undefined && text in results ? (text as Result) : undefined;
}
