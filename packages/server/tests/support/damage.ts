import BetterSqlite from "better-sqlite3";
import { open } from "node:fs/promises";
import { join } from "node:path";

/** Overwrites the root page of a table, and nothing else, in the database of a stopped daemon. */
export async function damageTable(dataDir: string, table: string): Promise<void> {
  const path = join(dataDir, "belfry.db");
  const sqlite = new BetterSqlite(path);
  const pageSize = sqlite.pragma("page_size", { simple: true }) as number;
  const root = sqlite.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").pluck().get(table) as number;
  sqlite.close();
  const file = await open(path, "r+");
  try {
    await file.write(Buffer.alloc(pageSize, 0xa5), 0, pageSize, (root - 1) * pageSize);
  } finally {
    await file.close();
  }
}

/** Changes rows behind the daemon's back, as a newer version or a person with a database tool may. */
export function rewriteRows(dataDir: string, sql: string, ...values: readonly unknown[]): void {
  const sqlite = new BetterSqlite(join(dataDir, "belfry.db"));
  try {
    sqlite.prepare(sql).run(...values);
  } finally {
    sqlite.close();
  }
}

/** Adds a row that refers to no task, or removes it again: the daemon works, but a backup of it cannot be restored. */
export function setBrokenReference(dataDir: string, isBroken: boolean): void {
  const sqlite = new BetterSqlite(join(dataDir, "belfry.db"));
  try {
    sqlite.pragma("foreign_keys = OFF");
    sqlite.prepare("DELETE FROM task_results WHERE task_id = 'tsk_missing'").run();
    if (isBroken)
      sqlite.prepare("INSERT INTO task_results (task_id, kept_bytes, counted_from) VALUES ('tsk_missing', 0, 0)").run();
  } finally {
    sqlite.close();
  }
}
