import { sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Attempts of deleted runs whose output may still be on disk. */
export const removedOutputs = sqliteTable("removed_outputs", { attemptId: text("attempt_id").primaryKey() });
