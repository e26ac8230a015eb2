import { ifMatchForm, type Operation } from "@belfry/contract";
import { AppError } from "../kernel/errors/errors.ts";
import { type GatewayCall, idOf } from "./call.ts";

/** The current revision of a resource, by its type; undefined if the resource does not exist. */
export type Revisions = Readonly<Record<string, (id: string) => number | undefined>>;

/**
 * Compares `If-Match` with the current revision. Ignores a resource that does not exist: the handler answers with 404,
 * which comes before any 412.
 */
export function requireRevision(revisions: Revisions, operation: Operation, call: GatewayCall): void {
  if (call.ifMatch === null || operation.conditional !== true) return;
  const revision = revisions[operation.resource]?.(idOf(call) ?? "");
  if (revision === undefined || call.ifMatch === "*") return;
  const match = ifMatchForm.exec(call.ifMatch);
  if (match === null)
    throw new AppError("validation_failed", 'If-Match must be * or the value of one ETag, such as "3"', {
      field: "If-Match",
    });
  if (Number(match[1]) !== revision) {
    throw new AppError(
      "precondition_failed",
      `the ${operation.resource.replaceAll("_", " ")} has changed and is now at revision ${revision}: read it again before you change it`,
    );
  }
}
