import { asc, eq, sql } from "drizzle-orm";
import type { Db } from "../../kernel/storage/database.ts";
import { preparedFind, preparedInsert, preparedRemove, preparedUpdate } from "../../kernel/storage/statements.ts";
import { type AssignmentRow, assignments, type ScopeRow, scopes } from "./table.ts";

const { placeholder } = sql;

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
    hasAny: (): boolean => one.get() !== undefined,
    insertScope: preparedInsert(db, scopes),
    updateScope: preparedUpdate(db, scopes),
    insert: preparedInsert(db, assignments),
    clearScope: (scopeId: string): void => void removalOfScope.run({ scopeId }),
    removeOfChannel: (channelId: string): void => void removalOfChannel.run({ channelId }),
    removeScope: preparedRemove(db, scopes),
  };
}
