import { ManualClock, tempDir } from "@belfry/test-kit";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { auditMarksMigration, beginAuditMarks } from "../../src/features/audit/begin-marks.ts";
import { canonicalJson } from "../../src/kernel/canonical-json.ts";
import { createMarkSeal } from "../../src/features/audit/marks.ts";
import { type AuditEntry, createAudit } from "../../src/features/audit/record.ts";
import { createAuditStore } from "../../src/features/audit/store.ts";
import { createLog, type LogEntry } from "../../src/kernel/log/log.ts";
import { createSealing } from "../../src/kernel/secrets/secrets.ts";
import { openDatabase } from "../../src/kernel/storage/database.ts";
import { migrate, readMigrations } from "../../src/kernel/storage/migrate.ts";
import { createWriter } from "../../src/kernel/storage/write.ts";

export type Trail = Awaited<ReturnType<typeof openTrail>>;
type Row = Readonly<Record<string, string | number | null>>;

const entry = (requestId: string): AuditEntry => ({
  actor: { id: "act_1", name: "local", capability: "enroll", transport: "local", credentialId: null },
  operation: "tasks.update",
  resourceType: "task",
  resourceId: "tsk_1",
  result: "allowed",
  errorCode: null,
  requestId,
  changedFields: ["name", "labels"],
});

/** The audit trail alone, on a database of its own. `rowsBefore` are in it before it gets the marks of its ends. */
export async function openTrail(auditKept?: number, { rowsBefore = 0 } = {}) {
  const dir = await tempDir();
  const { db, sqlite, close } = openDatabase(join(dir.path, "test.db"));
  const clock = new ManualClock();
  const sealing = createSealing(Buffer.alloc(32, 7));
  const migrations = readMigrations();
  migrate(
    sqlite,
    migrations.slice(
      0,
      migrations.findIndex(({ name }) => name === auditMarksMigration),
    ),
  );
  for (let number = 1; number <= rowsBefore; number++) forge({ ...template, previous_hash: newestHash() });
  migrate(sqlite, migrations, { [auditMarksMigration]: () => beginAuditMarks({ db, sealing, now: clock.now() }) });
  const begunAt = clock.now();
  const { write } = createWriter<never>({ sqlite, clock, onListenerError: () => {} });
  const logged: LogEntry[] = [];
  const log = createLog(clock, "debug", [(line) => void logged.push(line)]);
  /** Opens the trail as the next daemon does. */
  const open = () =>
    createAudit({ store: createAuditStore(db), seal: createMarkSeal(sealing), write, clock, log, auditKept });
  const audit = open();

  return {
    audit,
    open,
    clock,
    begunAt,
    logged,
    sqlite,
    write,
    entry,
    forge,
    record: (count: number, by = audit): void =>
      write((unit) => {
        for (let done = 0; done < count; done++) by.record(unit, entry(`req_${done}`));
      }),
    /** Lists all rows by pages of this many. */
    walk: (limit: number): void => {
      for (let after: { at: number; id: string } | null = null; ;) {
        const rows = audit.list({}, { limit, after }).slice(0, limit);
        const last = rows.at(-1);
        if (last === undefined) return;
        after = { at: last.at, id: String(last.number) };
      }
    },
    /** Waits for what follows in the next turn of the event loop. */
    turn: () => new Promise((resolve) => setImmediate(resolve)),
    rows: (): Row[] => sqlite.prepare("SELECT * FROM audit_events ORDER BY number").all() as Row[],
    anchor: () =>
      sqlite.prepare("SELECT number, hash FROM audit_anchor").get() as { number: number; hash: string } | undefined,
    [Symbol.asyncDispose]: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      close();
      await dir[Symbol.asyncDispose]();
    },
  };

  function newestHash(): string | null {
    return sqlite.prepare("SELECT hash FROM audit_events ORDER BY number DESC LIMIT 1").pluck().get() as string | null;
  }

  /** Inserts a row with the right hash, as a program without the daemon's key can. Returns it. */
  function forge(row: Row): Row {
    const { number: _number, hash: _hash, previous_hash: previous, changed_fields_json: changed, at, ...rest } = row;
    const event = {
      ...(rest as Record<string, string | null>),
      at: new Date(Number(at)).toISOString(),
      changed_fields: JSON.parse(String(changed)) as string[],
    };
    const hash = createHash("sha256")
      .update(String(previous ?? ""))
      .update(canonicalJson(event))
      .digest("hex");
    const whole = { ...rest, at, previous_hash: previous ?? null, changed_fields_json: changed, hash };
    const names = Object.keys(whole);
    const { lastInsertRowid } = sqlite
      .prepare(`INSERT INTO audit_events (${names.join()}) VALUES (${names.map((name) => `@${name}`).join()})`)
      .run(whole);
    return { ...whole, number: Number(lastInsertRowid) } as Row;
  }
}

const template: Row = {
  id: "aud_1",
  at: Date.UTC(2025, 0, 1),
  actor_id: "act_1",
  actor_name: "local",
  transport: "local",
  operation: "tasks.update",
  resource_type: "task",
  resource_id: null,
  result: "allowed",
  error_code: null,
  request_id: "req_1",
  changed_fields_json: "[]",
};
