import { and, asc, desc, eq, gt, gte, isNotNull, lt, lte, max, min, notInArray, sql } from "drizzle-orm";
import type { Db } from "../../kernel/storage/database.ts";
import type { Page } from "../../kernel/storage/page.ts";
import {
  afterCursor,
  pageValues,
  perShape,
  preparedFind,
  preparedInsert,
  preparedRemove,
  preparedUpdate,
} from "../../kernel/storage/statements.ts";
import type { Instant } from "../../kernel/time/time.ts";
import { deliveries, type DeliveryRow, redeliveries } from "./table.ts";

const { placeholder } = sql;

export interface DeliveryFilters {
  readonly channelId?: string | undefined;
  readonly taskId?: string | undefined;
  readonly runId?: string | undefined;
  readonly state?: string | undefined;
}

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

/**
 * Literals, not placeholders: SQLite uses a partial index only if the query repeats the index's condition word for
 * word.
 */
const isPending = sql`${deliveries.state} = 'pending'`;
const isClaimed = sql`${deliveries.state} = 'claimed'`;

export function createDeliveryStore(db: Db) {
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
          given("afterId") ? afterCursor(deliveries.createdAt, deliveries.id) : undefined,
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
    // the rowid orders deliveries that were queued in one write
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
          // a `+` hides the other indexes: at most a thousand deliveries have ended, but many more may be pending
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

  return {
    find: preparedFind(db, deliveries),
    list: (filters: DeliveryFilters, page: Page): readonly DeliveryRow[] => {
      const values = { ...filters, ...pageValues(page) };
      return listing(values).all(values);
    },
    listPending: (channelId: string, limit: number): readonly DeliveryRow[] => pendingOf.all({ channelId, limit }),
    /** Lists pending deliveries with at least one attempt. */
    listPaused: (): readonly Pick<DeliveryRow, "id" | "channelId" | "nextAttemptAt">[] => paused.all(),
    /**
     * Lists every channel with pending deliveries. Each channel takes one step through the index, however many
     * deliveries it has.
     */
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
    /** Lists failed deliveries in the order in which they ended, oldest first. */
    listFailedSince: (filters: {
      readonly since: Instant;
      readonly channelId?: string | undefined;
    }): readonly DeliveryRow[] => failedSince(filters).all(filters),
    isRedelivered: (id: string): boolean => redelivery.get({ id }) !== undefined,
    insert: preparedInsert(db, deliveries),
    update: preparedUpdate(db, deliveries),
    remove: preparedRemove(db, deliveries),
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
