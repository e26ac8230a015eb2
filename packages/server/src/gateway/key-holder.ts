import type { Operation } from "@belfry/contract";
import { AppError } from "../kernel/errors/errors.ts";
import type { Actor } from "../kernel/operation.ts";

const holders = new WeakSet<Actor>();

/**
 * The holder of a trigger's key, who may fire this trigger and do nothing else. It has no row, so its key is its only
 * right. It has the trigger's id and name, so that audit rows name the trigger, and each trigger has idempotency keys of
 * its own.
 */
export function keyHolderOf({ id, name }: { readonly id: string; readonly name: string }): Actor {
  const actor: Actor = Object.freeze({ id, name, capability: "operate", transport: "local", credentialId: null });
  holders.add(actor);
  return actor;
}

export function isKeyHolder(actor: Actor): boolean {
  return holders.has(actor);
}

/** Protects against a transport that offers key holders more than firing. The write of a fire checks the key again. */
export function requireFire({ id }: Operation): void {
  if (id !== "triggers.fire") throw new AppError("forbidden", "the key of a trigger can only fire that trigger");
}
