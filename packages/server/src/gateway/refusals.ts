import { type ErrorCode, type Operation, ResourceId } from "@belfry/contract";
import type { Audit } from "../features/audit/index.ts";
import type { AppError } from "../kernel/errors/errors.ts";
import { explainFailure, explainUnaudited } from "../kernel/errors/failure.ts";
import type { Log } from "../kernel/log/log.ts";
import type { AnyFact, WriteSoon } from "../kernel/storage/write.ts";
import type { Clock } from "../kernel/time/clock.ts";
import { isAnonymous } from "./anonymous.ts";
import type { Caller } from "./call.ts";
import { createRepeatedDenials } from "./repeated-denials.ts";

export interface RefusalParts {
  readonly writeSoon: WriteSoon<AnyFact>;
  readonly audit: Audit;
  readonly log: Log;
  readonly clock: Pick<Clock, "monotonicMs">;
}

/** Creates the answers to failed calls, and their rows in the audit trail. */
export function createRefusals({ writeSoon, audit, log, clock }: RefusalParts) {
  const recordOnce = createRepeatedDenials(clock);
  const explain = (operation: Operation, { requestId }: Caller, error: unknown): AppError =>
    explainFailure(error, { operation: operation.id, requestId, log });

  return { explain, audit: auditRefusal };

  /** Resolves with the refusal once its row is written. */
  async function auditRefusal(operation: Operation, caller: Caller, error: unknown): Promise<unknown> {
    const refusal = explain(operation, caller, error);
    const isDenied = isDenial(refusal.code);
    if (refusal.code === "audit_unavailable" || (!operation.audited && !isDenied)) return refusal;
    // a caller that nobody identified must not be able to fill the trail
    if (isAnonymous(caller.actor)) return refusal;
    const record = (): Promise<void> =>
      writeSoon((unit) =>
        audit.record(unit, {
          actor: caller.actor,
          operation: operation.id,
          resourceType: operation.resource,
          resourceId: (isDenied ? idIn(caller.id) : caller.id) ?? refusal.resourceId ?? caller.concern?.() ?? null,
          result: isDenied ? "denied" : "failed",
          errorCode: refusal.code,
          requestId: caller.requestId,
          changedFields: [],
        }),
      );
    try {
      await (isDenied ? recordOnce(`${caller.actor.id} ${operation.id} ${refusal.code}`, record) : record());
      return refusal;
    } catch (failure) {
      return explainUnaudited(failure, { operation: operation.id, requestId: caller.requestId, log });
    }
  }
}

/** A caller who may not make the call must not be able to write text of its choice into the trail. */
function idIn(path: string | null): string | null {
  return path !== null && ResourceId.safeParse(path).success ? path : null;
}

/** Whether the actor may not call the operation, or nothing at all any more. */
function isDenial(code: ErrorCode): boolean {
  return code === "forbidden" || code === "unauthorized" || code === "credential_revoked";
}
