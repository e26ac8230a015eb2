import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { Db } from "../../kernel/storage/database.ts";
import type { Page } from "../../kernel/storage/page.ts";
import { preparedFind, preparedInsert, preparedRemove, preparedUpdate } from "../../kernel/storage/statements.ts";
import { type AssignmentRow, assignments, type ScopeRow, scopes } from "./table.ts";

const { placeholder } = sql;

/** A task or a group, and the outcomes that it notifies a channel of. */
export interface AssignedScope extends Pick<ScopeRow, "id" | "kind"> {
  readonly onSuccess: boolean;
  readonly onFailure: boolean;
}

export type AssignmentStore = ReturnType<typeof createAssignmentStore>;

export function createAssignmentStore(db: Db) {
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
  const ofChannel = db
    .select({
      id: scopes.id,
      kind: scopes.kind,
      onSuccess: assignments.onSuccess,
      onFailure: assignments.onFailure,
    })
    .from(assignments)
    .innerJoin(scopes, eq(scopes.id, assignments.scopeId))
    .where(and(eq(assignments.channelId, placeholder("channelId")), gt(assignments.scopeId, placeholder("after"))))
    .orderBy(asc(assignments.scopeId))
    .limit(placeholder("limit"))
    .prepare();
  const removalOfScope = db
    .delete(assignments)
    .where(eq(assignments.scopeId, placeholder("scopeId")))
    .prepare();
  const removalOfChannel = db
    .delete(assignments)
    .where(eq(assignments.channelId, placeholder("channelId")))
    .prepare();
  const one = db.select({ scopeId: assignments.scopeId }).from(assignments).limit(1).prepare();
  return {
    findScope: preparedFind(db, scopes),
    listOfScope: (scopeId: string): readonly AssignmentRow[] => ofScope.all({ scopeId }),
    listScopesOfChannel: (channelId: string): readonly ScopeRow[] => scopesOfChannel.all({ channelId }),
    /** Lists one row more than the page has, so that the last page knows it is the last. */
    listOfChannel: (channelId: string, { limit, after }: Page): readonly AssignedScope[] =>
      ofChannel.all({ channelId, after: after?.id ?? "", limit: limit + 1 }),
    hasAny: (): boolean => one.get() !== undefined,
    insertScope: preparedInsert(db, scopes),
    updateScope: preparedUpdate(db, scopes),
    insert: preparedInsert(db, assignments),
    clearScope: (scopeId: string): void => void removalOfScope.run({ scopeId }),
    removeOfChannel: (channelId: string): void => void removalOfChannel.run({ channelId }),
    removeScope: preparedRemove(db, scopes),
  };
}
