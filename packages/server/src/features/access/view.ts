import { type Actor, type Credential, limits, type Pairing } from "@belfry/contract";
import { formatInstant, formatInstantOrNull, type Instant } from "../../kernel/time/time.ts";
import { type ActorValidity, credentialStateOf, pairingStateOf, stateOf } from "./standing.ts";
import type { ActorRow, CredentialRow, PairingRow } from "./table.ts";

export interface ActorContext {
  readonly now: Instant;
  readonly lastSeenAt: Instant | null;
}

export function viewActor(row: ActorRow, { now, lastSeenAt }: ActorContext): Actor {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    capability: row.capability,
    state: stateOf(row, now),
    built_in: row.builtIn,
    expires_at: formatInstantOrNull(row.expiresAt),
    last_seen_at: formatInstantOrNull(lastSeenAt),
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
    revision: row.revision,
  };
}

export interface CredentialContext {
  readonly now: Instant;
  readonly actor: ActorValidity;
  readonly lastUsedAt: Instant | null;
}

export function viewCredential(row: CredentialRow, { now, actor, lastUsedAt }: CredentialContext): Credential {
  return {
    id: row.id,
    actor_id: row.actorId,
    display_name: row.displayName,
    kind: row.kind,
    capability: row.capability,
    state: credentialStateOf(row, actor, now),
    created_at: formatInstant(row.createdAt),
    last_used_at: formatInstantOrNull(lastUsedAt),
    revoked_at: formatInstantOrNull(row.revokedAt),
  };
}

export interface PairingContext {
  readonly now: Instant;
  /** Undefined until the pairing has created its own actor. */
  readonly actor: Pick<ActorRow, "id" | "name" | "capability"> | undefined;
}

export function viewPairing(row: PairingRow, { now, actor }: PairingContext): Pairing {
  const { name, capability } = actor ?? row;
  return {
    id: row.id,
    actor_id: actor?.id ?? null,
    name,
    capability,
    kind: row.kind,
    state: pairingStateOf(row, now),
    tries_left: limits.pairingTriesMax - row.tries,
    created_at: formatInstant(row.createdAt),
    expires_at: formatInstant(row.expiresAt),
  };
}
