import { type Actor, type ActorCreate, type ActorPatch, isCapabilityEnough } from "@belfry/contract";
import { AppError, invalid, notFound } from "../../kernel/errors/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { requireFreeName } from "../../kernel/names.ts";
import type { Page } from "../../kernel/storage/page.ts";
import { createRevise } from "../../kernel/storage/revise.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import { type Instant, parseInstant } from "../../kernel/time/time.ts";
import type { Credentials } from "./credentials.ts";
import type { AccessFact } from "./facts.ts";
import type { LastUse } from "./last-use.ts";
import type { PairingStore } from "./pairing-store.ts";
import { stateOf } from "./standing.ts";
import type { ActorFilters, ActorStore } from "./store.ts";
import { actorMembers, type ActorRow } from "./table.ts";
import { viewActor } from "./view.ts";

export interface ActorDeps {
  readonly store: ActorStore;
  readonly credentials: Pick<Credentials, "revokeOf">;
  /** Open pairings reserve the names of their actors. */
  readonly pairings: Pick<PairingStore, "findOpenByName" | "expireOf">;
  readonly lastUse: Pick<LastUse, "lastSeenOf">;
}

/** The actor, or the pairing with a reserved name, that gets a name. */
interface NameHolder {
  readonly id: string | null;
  readonly now: Instant;
}

export type Actors = ReturnType<typeof createActors>;

/*
 * The states of an actor:
 *
 *   active     It may do what its capability allows.
 *   disabled   It may do nothing until it is active again.
 *   expired    Its `expires_at` has passed: it may do nothing. Computed, never stored.
 *   revoked    For good. It may do nothing, cannot be changed, and its name is free.
 *
 *   active <-> disabled            `update`
 *   active, disabled -> expired    with time
 *   expired -> active, disabled    `update` with a later `expires_at`, or null
 *   any -> revoked                 `revoke`
 *
 * The built-in actor is always active and cannot be changed.
 */
export function createActors({ store, credentials, pairings, lastUse }: ActorDeps) {
  const get = (id: string): ActorRow => {
    const row = store.find(id);
    if (row === undefined) throw notFound("actor", id);
    return row;
  };
  const freeName = (name: string, { id, now }: NameHolder) => {
    const findReserved = (key: string) => pairings.findOpenByName(key, now);
    const fix = (pairing: { readonly id: string }) =>
      `choose another name, or delete that pairing with \`belfry pairing delete ${pairing.id}\``;
    requireFreeName(name, { kind: "an open pairing for an actor", find: findReserved, fix }, { id });
    return requireFreeName(name, { kind: "an actor", find: store.findByName }, { id });
  };
  const { revise } = createRevise<ActorRow, AccessFact>({
    members: actorMembers,
    update: ({ id }, columns) => store.update(id, columns),
    fact: ({ id: actorId }, changed) => ({ name: "actor.updated", actorId, changed }),
  });

  return {
    get,
    find: store.find,
    /** Throws if an actor or an open pairing has the name. */
    requireFreeName: freeName,
    list: (filters: ActorFilters, page: Page): readonly ActorRow[] => store.list(filters, page),
    view: (row: ActorRow, now: Instant): Actor => viewActor(row, { now, lastSeenAt: lastUse.lastSeenOf(row) }),

    /** `reservedBy` is the pairing that reserved the name. */
    create: (unit: Unit<AccessFact>, input: ActorCreate, reservedBy: string | null = null): ActorRow => {
      const row: ActorRow = {
        id: newId("act"),
        ...freeName(input.name, { id: reservedBy, now: unit.now }),
        kind: "remote",
        capability: input.capability,
        state: "active",
        builtIn: false,
        expiresAt: readExpiry(input.expires_at ?? null, unit.now),
        lastSeenAt: null,
        createdAt: unit.now,
        updatedAt: unit.now,
        revision: 1,
      };
      store.insert(row);
      unit.record({ name: "actor.created", actorId: row.id });
      return row;
    },

    update: (unit: Unit<AccessFact>, id: string, patch: ActorPatch): ActorRow => {
      const row = get(id);
      requireChangeable(row);
      const change: Partial<ActorRow> = {};
      if (patch.name !== undefined) Object.assign(change, freeName(patch.name, { id, now: unit.now }));
      if (patch.capability !== undefined) change.capability = patch.capability;
      if (patch.state !== undefined) change.state = patch.state;
      if (patch.expires_at !== undefined) change.expiresAt = readExpiry(patch.expires_at, unit.now);
      const next = revise(unit, row, change);
      if (patch.state === "active" && stateOf(next, unit.now) === "expired")
        throw invalid(
          "state",
          "state cannot make an expired actor active: set `expires_at` to a later time or to null",
        );
      const isDisabled = next.state === "disabled" && row.state !== "disabled";
      if (isDisabled || !isCapabilityEnough(next.capability, row.capability))
        unit.record({ name: "actor.restricted", actorId: id });
      return next;
    },

    revoke: (unit: Unit<AccessFact>, id: string): ActorRow => {
      const row = get(id);
      if (row.state === "revoked") return row;
      requireChangeable(row);
      const next = revise(unit, row, { state: "revoked" });
      credentials.revokeOf(unit, id);
      pairings.expireOf(id, unit.now);
      unit.record({ name: "actor.restricted", actorId: id });
      return next;
    },
  };
}

function requireChangeable({ name, builtIn, state }: ActorRow): void {
  if (builtIn) throw new AppError("conflict", "the built-in actor cannot be changed: create another actor");
  if (state === "revoked")
    throw new AppError("conflict", `actor ${JSON.stringify(name)} was revoked, which is final: create another actor`);
}

function readExpiry(text: string | null, now: Instant): Instant | null {
  if (text === null) return null;
  const expiresAt = parseInstant(text);
  if (expiresAt <= now)
    throw invalid("expires_at", `expires_at must be in the future, and ${text} has passed: use a later time`);
  return expiresAt;
}
