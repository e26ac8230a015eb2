import { auditMarksMigration, beginAuditMarks } from "./features/audit/index.ts";
import type { Paths } from "./kernel/files/paths.ts";
import { isKeyKnown, requireSameKey } from "./kernel/secrets/sealing-key-check.ts";
import { createSealing, loadSealingKey } from "./kernel/secrets/secrets.ts";
import type { OpenDatabase } from "./kernel/storage/database.ts";
import { migrate, readMigrations } from "./kernel/storage/migrate.ts";
import type { Clock } from "./kernel/time/clock.ts";

/** Brings the database up to date, and loads its sealing key. */
export function prepareDatabase({
  database,
  paths,
  clock,
}: {
  readonly database: OpenDatabase;
  readonly paths: Pick<Paths, "sealingKey">;
  readonly clock: Pick<Clock, "now">;
}) {
  let loaded: ReturnType<typeof loadSealing> | null = null;
  const load = () => (loaded ??= loadSealing(database, paths.sealingKey));
  const { from, to } = migrate(database.sqlite, readMigrations(), {
    [auditMarksMigration]: () => beginAuditMarks({ db: database.db, sealing: load().sealing, now: clock.now() }),
  });
  return { from, to, ...load() };
}

function loadSealing(database: OpenDatabase, path: string) {
  const sealingKey = loadSealingKey(path, { mayCreate: !isKeyKnown(database) });
  const sealing = createSealing(sealingKey);
  requireSameKey(database, sealing);
  return { sealingKey, sealing };
}
