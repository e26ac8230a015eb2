import { and, asc, desc, eq, gt, gte, isNotNull, lt, lte, max, min, notInArray, sql } from "drizzle-orm";
import type { Db } from "../../kernel/database.ts";
import type { Page } from "../../kernel/page.ts";
import { behind, pageValues, perShape, preparedFind, preparedInsert, preparedUpdate } from "../../kernel/statements.ts";
import type { Instant } from "../../kernel/time.ts";
import {
  type AssignmentRow,
  assignments,
  type ChannelRow,
  channels,
  deliveries,
  type DeliveryRow,
  type FormerSecretRow,
  formerSecrets,
  redeliveries,
  type ScopeRow,
  scopes,
} from "./table.ts";

const { placeholder } = sql;

export type ChannelStore = ReturnType<typeof createChannelStore>;

export function createChannelStore(db: Db) {
  const byId = db
    .select()
    .from(channels)
    .where(eq(channels.id, placeholder("id")))
    .prepare();
  const byName = db
    .select({ id: channels.id })
    .from(channels)
    .where(eq(channels.nameKey, placeholder("nameKey")))
    .prepare();
  const removal = db
    .delete(channels)
    .where(eq(channels.id, placeholder("id")))
    .prepare();
  const listing = perShape((given) =>
    db
      .select()
      .from(channels)
      .where(
        and(
          given("part") ? sql`instr(${channels.nameKey}, ${placeholder("part")}) > 0` : undefined,
          given("afterId") ? behind(channels.createdAt, channels.id) : undefined,
        ),
      )
      .orderBy(desc(channels.createdAt), desc(channels.id))
      .limit(placeholder("limit"))
      .prepare(),
  );
  return {
    find: (id: string): ChannelRow | undefined => byId.get({ id }),
    findByName: (nameKey: string): { readonly id: string } | undefined => byName.get({ nameKey }),
    list: (filters: { readonly part?: string | undefined }, page: Page): readonly ChannelRow[] => {
      const values = { ...filters, ...pageValues(page) };
      return listing(values).all(values);
    },
    insert: preparedInsert(db, channels),
    update: preparedUpdate(db, channels),
    remove: (id: string): void => void removal.run({ id }),
  };
}

export type FormerSecretStore = ReturnType<typeof createFormerSecretStore>;

export function createFormerSecretStore(db: Db) {
  const ofChannel = db
    .select()
    .from(formerSecrets)
    .where(eq(formerSecrets.channelId, placeholder("channelId")))
    .orderBy(desc(formerSecrets.number))
    .prepare();
  const removal = db
    .delete(formerSecrets)
    .where(eq(formerSecrets.number, placeholder("number")))
    .prepare();
  const removalOfChannel = db
    .delete(formerSecrets)
    .where(eq(formerSecrets.channelId, placeholder("channelId")))
    .prepare();
  const removalUntil = db
    .delete(formerSecrets)
    .where(lte(formerSecrets.until, placeholder("now")))
    .prepare();
  return {
    /** Newest first. */
    listOf: (channelId: string): readonly FormerSecretRow[] => ofChannel.all({ channelId }),
    insert: preparedInsert(db, formerSecrets, "number"),
    remove: (number: number): void => void removal.run({ number }),
    removeOf: (channelId: string): void => void removalOfChannel.run({ channelId }),
    /** Those whose time is over; answers how many there were. */
    removeExpired: (now: Instant): number => removalUntil.run({ now }).changes,
  };
}

export type AssignmentStore = ReturnType<typeof createAssignmentStore>;

export function createAssignmentStore(db: Db) {
  const scopeById = db
    .select()
    .from(scopes)
    .where(eq(scopes.id, placeholder("id")))
    .prepare();
  const ofScope = db
    .select()
    .from(assignments)
    .where(eq(assignments.scopeId, placeholder("scopeId")))
    .orderBy(asc(assignments.position))
    .prepare();
  const scopesOfChannel = db
    .select({ id: scopes.id, kind: scopes.kind, revision: scopes.revision })
    .from(assignments)
    .innerJoin(scopes, eq(scopes.id, assignments.scopeId))
    .where(eq(assignments.channelId, placeholder("channelId")))
    .prepare();
  const removalOfScope = db
    .delete(assignments)
    .where(eq(assignments.scopeId, placeholder("scopeId")))
    .prepare();
  const removalOfChannel = db
    .delete(assignments)
    .where(eq(assignments.channelId, placeholder("channelId")))
    .prepare();
  const scopeRemoval = db
    .delete(scopes)
    .where(eq(scopes.id, placeholder("id")))
    .prepare();
  const one = db.select({ scopeId: assignments.scopeId }).from(assignments).limit(1).prepare();
  return {
    findScope: (id: string): ScopeRow | undefined => scopeById.get({ id }),
    listOfScope: (scopeId: string): readonly AssignmentRow[] => ofScope.all({ scopeId }),
    listScopesOfChannel: (channelId: string): readonly ScopeRow[] => scopesOfChannel.all({ channelId }),
    hasAny: (): boolean => one.get() !== undefined,
    insertScope: preparedInsert(db, scopes),
    updateScope: preparedUpdate(db, scopes),
    insert: preparedInsert(db, assignments),
    clearScope: (scopeId: string): void => void removalOfScope.run({ scopeId }),
    removeOfChannel: (channelId: string): void => void removalOfChannel.run({ channelId }),
    removeScope: (id: string): void => void scopeRemoval.run({ id }),
  };
}

export interface DeliveryFilters {
  readonly channelId?: string | undefined;
  readonly taskId?: string | undefined;
  readonly runId?: string | undefined;
  readonly state?: string | undefined;
}

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

/** Literals, not placeholders: a partial index is used only where the query says the same words. */
const isPending = sql`${deliveries.state} = 'pending'`;
const isClaimed = sql`${deliveries.state} = 'claimed'`;

export function createDeliveryStore(db: Db) {
  const byId = db
    .select()
    .from(deliveries)
    .where(eq(deliveries.id, placeholder("id")))
    .prepare();
  const listing = perShape((given) =>
    db
      .select()
      .from(deliveries)
      .where(
        and(
          given("channelId") ? eq(deliveries.channelId, placeholder("channelId")) : undefined,
          given("taskId") ? and(isNotNull(deliveries.taskId), eq(deliveries.taskId, placeholder("taskId"))) : undefined,
          given("runId") ? and(isNotNull(deliveries.runId), eq(deliveries.runId, placeholder("runId"))) : undefined,
          given("state") ? eq(deliveries.state, placeholder("state")) : undefined,
          given("afterId") ? behind(deliveries.createdAt, deliveries.id) : undefined,
        ),
      )
      .orderBy(desc(deliveries.createdAt), desc(deliveries.id))
      .limit(placeholder("limit"))
      .prepare(),
  );
  const pendingOf = db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.channelId, placeholder("channelId")), isPending))
    // of those that one write has queued, the rowid tells the order
    .orderBy(asc(deliveries.nextAttemptAt), sql`rowid`)
    .limit(placeholder("limit"))
    .prepare();
  const paused = db
    .select({ id: deliveries.id, channelId: deliveries.channelId, nextAttemptAt: deliveries.nextAttemptAt })
    .from(deliveries)
    .where(and(isPending, gt(deliveries.attemptCount, 0)))
    .prepare();
  const nextPendingChannel = db
    .select({ id: min(deliveries.channelId) })
    .from(deliveries)
    .where(and(gt(deliveries.channelId, placeholder("after")), isPending))
    .prepare();
  const claimed = db
    .select()
    .from(deliveries)
    .where(and(isClaimed, lte(deliveries.claimedAt, placeholder("until"))))
    .orderBy(asc(deliveries.claimedAt), asc(deliveries.id))
    .prepare();
  const unfinishedOf = db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(
      and(eq(deliveries.channelId, placeholder("channelId")), notInArray(deliveries.state, ["succeeded", "failed"])),
    )
    .prepare();
  const lastEnded = db
    .select({ number: max(deliveries.endedNumber) })
    .from(deliveries)
    .where(isNotNull(deliveries.endedNumber))
    .prepare();
  const endedBefore = db
    .select({ id: deliveries.id, channelId: deliveries.channelId })
    .from(deliveries)
    .where(and(isNotNull(deliveries.endedNumber), lt(deliveries.endedNumber, placeholder("number"))))
    .prepare();
  const failedSince = perShape((given) =>
    db
      .select()
      .from(deliveries)
      .where(
        and(
          isNotNull(deliveries.endedNumber),
          // a `+` hides the other indexes: what has ended is a thousand rows, what is pending may be many more
          sql`+${deliveries.state} = 'failed'`,
          given("channelId") ? sql`+${deliveries.channelId} = ${placeholder("channelId")}` : undefined,
          gte(deliveries.endedAt, placeholder("since")),
        ),
      )
      .orderBy(asc(deliveries.endedNumber))
      .prepare(),
  );
  const redelivery = db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(isNotNull(deliveries.redeliveryOf), eq(deliveries.redeliveryOf, placeholder("id"))))
    .limit(1)
    .prepare();
  const removal = db
    .delete(deliveries)
    .where(eq(deliveries.id, placeholder("id")))
    .prepare();

  return {
    find: (id: string): DeliveryRow | undefined => byId.get({ id }),
    list: (filters: DeliveryFilters, page: Page): readonly DeliveryRow[] => {
      const values = { ...filters, ...pageValues(page) };
      return listing(values).all(values);
    },
    listPending: (channelId: string, limit: number): readonly DeliveryRow[] => pendingOf.all({ channelId, limit }),
    /** Pending after at least one attempt. */
    listPaused: (): readonly Pick<DeliveryRow, "id" | "channelId" | "nextAttemptAt">[] => paused.all(),
    /** Every channel with something pending: one step through the index for each, however much waits. */
    listPendingChannels: (): readonly string[] => {
      const found: string[] = [];
      for (let id = nextChannel(""); id !== null; id = nextChannel(id)) found.push(id);
      return found;
    },
    listClaimed: (until: Instant = Number.MAX_SAFE_INTEGER): readonly DeliveryRow[] => claimed.all({ until }),
    listUnfinishedOf: (channelId: string): readonly { readonly id: string }[] => unfinishedOf.all({ channelId }),
    lastEndedNumber: (): number => lastEnded.get()?.number ?? 0,
    listEndedBefore: (number: number): readonly { readonly id: string; readonly channelId: string }[] =>
      endedBefore.all({ number }),
    /** By their ends, the first one first. */
    listFailedSince: (filters: {
      readonly since: Instant;
      readonly channelId?: string | undefined;
    }): readonly DeliveryRow[] => failedSince(filters).all(filters),
    isRedelivered: (id: string): boolean => redelivery.get({ id }) !== undefined,
    insert: preparedInsert(db, deliveries),
    update: preparedUpdate(db, deliveries),
    remove: (id: string): void => void removal.run({ id }),
  };

  function nextChannel(after: string): string | null {
    return nextPendingChannel.get({ after })?.id ?? null;
  }
}

export type RedeliveryStore = ReturnType<typeof createRedeliveryStore>;

export function createRedeliveryStore(db: Db) {
  const removal = db
    .delete(redeliveries)
    .where(lte(redeliveries.createdAt, placeholder("until")))
    .prepare();
  return {
    find: preparedFind(db, redeliveries),
    insert: preparedInsert(db, redeliveries),
    removeUntil: (until: Instant): void => void removal.run({ until }),
  };
}
