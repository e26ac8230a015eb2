import type { Capability, Credential, CredentialKind } from "@belfry/contract";
import { AppError, notFound } from "../../kernel/errors/errors.ts";
import { invariant } from "../../kernel/errors/invariant.ts";
import { newId } from "../../kernel/ids.ts";
import type { Page } from "../../kernel/storage/page.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import type { Instant } from "../../kernel/time/time.ts";
import type { AccessFact } from "./facts.ts";
import type { LastUse } from "./last-use.ts";
import type { ActorStore, CredentialStore } from "./store.ts";
import type { ActorRow, CredentialRow } from "./table.ts";
import { createToken, type NewToken } from "./token.ts";
import { viewCredential } from "./view.ts";

export interface CredentialDeps {
  readonly store: CredentialStore;
  readonly actors: Pick<ActorStore, "find">;
  readonly lastUse: Pick<LastUse, "lastUsedOf">;
}

export interface CredentialInput {
  readonly actorId: string;
  readonly displayName: string;
  readonly kind: CredentialKind;
  /** The most that the credential may do; null for all that its actor may do. */
  readonly capability: Capability | null;
}

/** A new credential, with the token that is shown this once. */
export interface Issued {
  readonly row: CredentialRow;
  readonly token: string;
}

export type Credentials = ReturnType<typeof createCredentials>;

export function createCredentials({ store, actors, lastUse }: CredentialDeps) {
  const requireActor = (id: string): ActorRow => {
    const row = actors.find(id);
    if (row === undefined) throw notFound("actor", id);
    return row;
  };
  const revokeRow = (unit: Unit<AccessFact>, row: CredentialRow, changed: readonly string[] = []): CredentialRow => {
    const change = { revokedAt: unit.now };
    store.update(row.id, change);
    unit.record({ name: "credential.revoked", credentialId: row.id, actorId: row.actorId, changed });
    return { ...row, ...change };
  };

  const get = (id: string): CredentialRow => {
    const row = store.find(id);
    if (row === undefined) throw notFound("credential", id);
    return row;
  };

  return {
    get,
    listOf: (actorId: string, page: Page): readonly CredentialRow[] => store.listOf(requireActor(actorId).id, page),

    view: (row: CredentialRow, now: Instant): Credential => {
      const actor = actors.find(row.actorId);
      invariant(actor !== undefined, "actors are never deleted");
      return viewCredential(row, { now, actor, lastUsedAt: lastUse.lastUsedOf(row) });
    },

    /** Creates a credential and its token. Only a hash of the token is stored. */
    issue: (unit: Unit<AccessFact>, { actorId, ...members }: CredentialInput): Issued => {
      const actor = requireActor(actorId);
      requireEnrollable(actor);
      const { token, stored } = unusedToken();
      const row: CredentialRow = {
        id: newId("crd"),
        actorId,
        ...members,
        ...stored,
        createdAt: unit.now,
        lastUsedAt: null,
        revokedAt: null,
      };
      store.insert(row);
      unit.record({ name: "credential.issued", credentialId: row.id, actorId });
      return { row, token };
    },

    revoke: (unit: Unit<AccessFact>, id: string): CredentialRow => {
      const row = get(id);
      return row.revokedAt === null ? revokeRow(unit, row, ["state"]) : row;
    },

    revokeOf: (unit: Unit<AccessFact>, actorId: string): void => {
      for (const row of store.listUnrevokedOf(actorId)) revokeRow(unit, row);
    },

    revokeAll: (unit: Unit<AccessFact>): void => {
      for (const row of store.listUnrevoked()) revokeRow(unit, row);
    },
  };

  function unusedToken(): NewToken {
    let made = createToken();
    while (store.findByPublicPart(made.stored.publicPart) !== undefined) made = createToken();
    return made;
  }
}

/** Refuses an actor that can have no credential. */
export function requireEnrollable({ name, builtIn, state }: ActorRow): void {
  if (builtIn) throw new AppError("conflict", "the built-in actor needs no credential: create another actor");
  if (state === "revoked")
    throw new AppError("conflict", `actor ${JSON.stringify(name)} was revoked: create another actor`);
}
