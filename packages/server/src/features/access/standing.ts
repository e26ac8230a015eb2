import { type ActorState, type CredentialState, limits, type PairingState } from "@belfry/contract";
import { AppError } from "../../kernel/errors/errors.ts";
import type { Instant } from "../../kernel/time/time.ts";
import type { ActorRow, CredentialRow, PairingRow } from "./table.ts";

/** The members of an actor on which its state depends. */
export type ActorValidity = Pick<ActorRow, "state" | "expiresAt">;

/** Returns the state that clients see. Expiry is computed, and hides that an actor is also disabled. */
export function stateOf({ state, expiresAt }: ActorValidity, now: Instant): ActorState {
  if (state === "revoked") return state;
  return expiresAt !== null && expiresAt <= now ? "expired" : state;
}

/** A credential expires with its actor. */
export function credentialStateOf(
  { revokedAt }: Pick<CredentialRow, "revokedAt">,
  actor: ActorValidity,
  now: Instant,
): CredentialState {
  if (revokedAt !== null) return "revoked";
  return stateOf(actor, now) === "expired" ? "expired" : "active";
}

/** A burnt pairing stays burnt when its time has passed, so that its owner sees the wrong tries. */
export function pairingStateOf(
  { usedAt, tries, expiresAt }: Pick<PairingRow, "usedAt" | "tries" | "expiresAt">,
  now: Instant,
): PairingState {
  if (usedAt !== null) return "used";
  if (tries >= limits.pairingTriesMax) return "burnt";
  return expiresAt <= now ? "expired" : "open";
}

/** Returns why an actor may do nothing now; null if it may. A caller without a credential uses the local socket. */
export function refusalOf(
  actor: ActorValidity,
  credential: Pick<CredentialRow, "revokedAt"> | null,
  now: Instant,
): AppError | null {
  const state = credential !== null && credential.revokedAt !== null ? "revoked" : stateOf(actor, now);
  switch (state) {
    case "active":
      return null;
    case "revoked":
      return new AppError("credential_revoked", "this access was revoked: ask an administrator for a new credential");
    case "expired":
      return new AppError("unauthorized", "this access has expired: ask an administrator to extend it");
    case "disabled":
      return new AppError("forbidden", "this actor is disabled: ask an administrator to enable it");
  }
}

/** Answers every token that is missing, malformed or unknown, so that a caller cannot tell these apart. */
export function unauthorized(): AppError {
  return new AppError(
    "unauthorized",
    "the request needs a valid access token, in exactly one header: Authorization: Bearer <token>",
  );
}
