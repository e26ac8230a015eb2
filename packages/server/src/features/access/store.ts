import type { ActorState } from "@belfry/contract";
import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "../../kernel/storage/database.ts";
import type { Page } from "../../kernel/storage/page.ts";
import {
  afterCursor,
  pageValues,
  perShape,
  preparedFind,
  preparedFindBy,
  preparedFindColumns,
  preparedInsert,
  preparedUpdate,
  type StatementValues,
} from "../../kernel/storage/statements.ts";
import type { Instant } from "../../kernel/time/time.ts";
import { type ActorRow, actors, type CredentialRow, credentials } from "./table.ts";

export interface ActorFilters {
  readonly state?: ActorState | undefined;
  readonly namePart?: string | undefined;
  /** Decides which actors have expired. */
  readonly now: Instant;
}

export type ActorStore = ReturnType<typeof createActorStore>;
export type CredentialStore = ReturnType<typeof createCredentialStore>;

const { placeholder } = sql;
/** Written as the indexes write it, so that SQLite uses them. */
const isNotRevoked = sql`${actors.state} <> 'revoked'`;

export function createActorStore(db: Db) {
  const builtIn = db
    .select()
    .from(actors)
    .where(sql`${actors.builtIn} = 1`)
    .prepare();
  const byName = db
    .select({ id: actors.id })
    .from(actors)
    .where(and(eq(actors.nameKey, placeholder("nameKey")), isNotRevoked))
    .prepare();
  const listing = perShape((given) =>
    db
      .select()
      .from(actors)
      .where(
        and(
          given("state") ? eq(actors.state, placeholder("state")) : undefined,
          given("validAt")
            ? sql`(${actors.expiresAt} IS NULL OR +${actors.expiresAt} > ${placeholder("validAt")})`
            : undefined,
          given("expiredAt")
            ? and(sql`+${actors.state} <> 'revoked'`, sql`+${actors.expiresAt} <= ${placeholder("expiredAt")}`)
            : undefined,
          given("namePart") ? sql`instr(${actors.nameKey}, ${placeholder("namePart")}) > 0` : undefined,
          given("afterId") ? afterCursor(actors.createdAt, actors.id) : undefined,
        ),
      )
      .orderBy(desc(actors.createdAt), desc(actors.id))
      .limit(placeholder("limit"))
      .prepare(),
  );
  const expiring = sql`${actors.expiresAt} IS NOT NULL AND ${isNotRevoked}`;
  const expired = db
    .select({ id: actors.id })
    .from(actors)
    .where(
      and(
        expiring,
        sql`${actors.expiresAt} > ${placeholder("after")}`,
        sql`${actors.expiresAt} <= ${placeholder("until")}`,
      ),
    )
    .prepare();
  const next = db
    .select({ expiresAt: actors.expiresAt })
    .from(actors)
    .where(and(expiring, sql`${actors.expiresAt} > ${placeholder("now")}`))
    .orderBy(actors.expiresAt)
    .limit(1)
    .prepare();
  const anyExpiring = db.select({ id: actors.id }).from(actors).where(expiring).limit(1).prepare();

  return {
    find: preparedFind(db, actors),
    findBuiltIn: (): ActorRow | undefined => builtIn.get(),
    findByName: (nameKey: string): { readonly id: string } | undefined => byName.get({ nameKey }),
    list: ({ state, namePart, now }: ActorFilters, page: Page): readonly ActorRow[] => {
      const values = { ...stateValues(state, now), namePart, ...pageValues(page) };
      return listing(values).all(values);
    },
    /** Lists the actors that expired after the one time, and at or before the other. */
    listExpired: (after: Instant, until: Instant): readonly { readonly id: string }[] => expired.all({ after, until }),
    nextExpiry: (now: Instant): Instant | null => next.get({ now })?.expiresAt ?? null,
    hasExpiring: (): boolean => anyExpiring.get() !== undefined,
    insert: preparedInsert(db, actors),
    update: preparedUpdate(db, actors),
  };
}

function stateValues(state: ActorState | undefined, now: Instant): StatementValues {
  if (state === undefined) return {};
  if (state === "expired") return { expiredAt: now };
  return state === "revoked" ? { state } : { state, validAt: now };
}

export function createCredentialStore(db: Db) {
  const listing = perShape((given) =>
    db
      .select()
      .from(credentials)
      .where(
        and(
          eq(credentials.actorId, placeholder("actorId")),
          given("afterId") ? afterCursor(credentials.createdAt, credentials.id) : undefined,
        ),
      )
      .orderBy(desc(credentials.createdAt), desc(credentials.id))
      .limit(placeholder("limit"))
      .prepare(),
  );
  const { id, actorId, capability, revokedAt } = credentials;
  const unrevoked = db.select().from(credentials).where(isNull(credentials.revokedAt)).prepare();
  const unrevokedOf = db
    .select()
    .from(credentials)
    .where(and(eq(credentials.actorId, placeholder("actorId")), isNull(credentials.revokedAt)))
    .prepare();

  return {
    find: preparedFind(db, credentials),
    findByPublicPart: preparedFindBy(db, credentials, credentials.publicPart),
    /** Finds what decides whether a credential is valid, for every remote request. */
    findStanding: preparedFindColumns(db, { id, actorId, capability, revokedAt }, id),
    listOf: (ofActor: string, page: Page): readonly CredentialRow[] => {
      const values = { actorId: ofActor, ...pageValues(page) };
      return listing(values).all(values);
    },
    listUnrevoked: (): readonly CredentialRow[] => unrevoked.all(),
    listUnrevokedOf: (ofActor: string): readonly CredentialRow[] => unrevokedOf.all({ actorId: ofActor }),
    insert: preparedInsert(db, credentials),
    update: preparedUpdate(db, credentials),
  };
}
