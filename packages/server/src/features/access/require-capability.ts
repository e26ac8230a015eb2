import { isCapabilityEnough, type Operation } from "@belfry/contract";
import { AppError } from "../../kernel/errors/errors.ts";
import type { Actor } from "../../kernel/operation.ts";

/** Refuses an actor whose capability is below the operation's minimum. */
export function requireCapability(actor: Actor, operation: Operation): void {
  if (isCapabilityEnough(actor.capability, operation.capability)) return;
  throw new AppError(
    "forbidden",
    `this operation requires the capability ${operation.capability}, but the actor ${JSON.stringify(actor.name)} has only ${actor.capability}`,
  );
}
