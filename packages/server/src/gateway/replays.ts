import { catalogue, type Operation } from "@belfry/contract";
import type { Idempotency, KeyedCall } from "../features/idempotency/index.ts";
import { AppError } from "../kernel/errors/errors.ts";
import { invariant } from "../kernel/errors/invariant.ts";
import { hashBody } from "../kernel/hash-body.ts";
import { type GatewayCall, handlerOf, type ServedOperation } from "./call.ts";

const byId: ReadonlyMap<string, Operation> = new Map(catalogue.map((operation) => [operation.id, operation]));

/** A call that was made before under the same `Idempotency-Key`. */
export interface RepeatedCall {
  readonly operation: Operation;
  readonly call: GatewayCall;
  readonly resourceId: string;
}

/**
 * Returns the identity of a call with an `Idempotency-Key`; null for a call without one, or for an operation that
 * accepts none.
 */
export function keyedCall(idempotency: Idempotency, operation: Operation, call: GatewayCall): KeyedCall | null {
  if (call.idempotencyKey === null || operation.replayedBy === undefined) return null;
  const { sentBody } = call;
  const bodyHash = "hash" in sentBody ? sentBody.hash : hashBody(sentBody.value);
  const use = { actorId: call.actor.id, operation: operation.id, key: call.idempotencyKey };
  return { ...use, bodyHash: idempotency.hashInput(use, [call.params ?? null, bodyHash]) };
}

/**
 * Renders the answer again from the resource that the first call created. Also returns the operation that reads the
 * resource.
 */
export function readAgain(
  operations: Readonly<Record<string, ServedOperation>>,
  { operation, call, resourceId }: RepeatedCall,
): { readonly reader: Operation; readonly body: object } {
  const reader = byId.get(operation.replayedBy ?? "");
  invariant(reader !== undefined, `operation ${operation.id} names what replays it`);
  const readCall = { ...call, params: { id: resourceId }, query: {}, body: undefined };
  try {
    const own = operations[operation.id]?.replay?.(call, resourceId);
    return { reader, body: own ?? (handlerOf(operations[reader.id]!)(readCall) as object) };
  } catch (error) {
    // not a 404, because every resource that the call itself refers to exists
    if (!(error instanceof AppError) || error.code !== "not_found") throw error;
    throw new AppError(
      "conflict",
      `this Idempotency-Key was already used to create ${resourceId}, which has since been deleted: use a new Idempotency-Key to create another`,
      { resourceId, cause: error },
    );
  }
}
