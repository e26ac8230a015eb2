import type { Operation } from "@belfry/contract";
import { AppError } from "../kernel/errors/errors.ts";
import type { Actor } from "../kernel/operation.ts";

/**
 * The caller of a public operation on the remote transport, without a credential. It may call public operations only,
 * and sees what the least of all callers sees. It has no row, so no audit row may name it.
 */
export const anonymous: Actor = Object.freeze({
  id: "",
  name: "anonymous",
  capability: "observe",
  transport: "remote",
  credentialId: null,
});

export function isAnonymous(actor: Actor): boolean {
  return actor === anonymous;
}

/** Protects against a transport that forgets to identify a caller. */
export function requirePublic({ isPublic }: Operation): void {
  if (isPublic !== true) throw new AppError("unauthorized", "this operation needs an access token");
}
