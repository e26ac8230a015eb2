import { tempDir } from "@belfry/test-kit";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTaskStore } from "../../src/features/tasks/store.ts";
import { openDatabase } from "../../src/kernel/storage/database.ts";
import { migrate, readMigrations } from "../../src/kernel/storage/migrate.ts";

test("tasks of a former version keep every value, and everything that refers to them", async () => {
  await using dir = await tempDir();
  const { db, sqlite, close } = openDatabase(join(dir.path, "test.db"));
  const all = readMigrations();
  const before = all.findIndex(({ name }) => name.endsWith("_task_members.sql"));
  migrate(sqlite, all.slice(0, before));
  const insert = sqlite.prepare(
    `INSERT INTO tasks (id, name, name_key, description, lifecycle, enabled, command_json, working_directory,
       environment_names_json, environment_sealed, timeout_ms, kill_grace_ms, retry_json, priority, concurrency_limit,
       on_conflict, success_exit_codes_json, output_bytes_max, retention_runs, retention_age_ms, labels_json, created_at,
       updated_at, revision)
     VALUES (@id, @id, @id, 'text', 'active', 1, '{"kind":"exec","program":"true","arguments":[]}', '/srv', '["A"]',
       x'01', 1000, 2000, '{"max_attempts":2}', 7, 3, 'skip', '[0,3]', 4096, 9, 60000, '{"a":"b"}', 11, 12, 13)`,
  );
  for (const id of ["tsk_a", "tsk_b"]) insert.run({ id });
  sqlite.exec(`
    INSERT INTO task_labels VALUES ('a', 'b', 'tsk_a');
    INSERT INTO chains (id, source_task_id, target_task_id, on_outcome, enabled, delay_ms, created_at, updated_at, revision)
      VALUES ('chn_1', 'tsk_a', 'tsk_b', 'any', 1, 0, 1, 1, 1);
  `);
  const insertRun = sqlite.prepare(
    `INSERT INTO runs (id, task_id, task_name, state, outcome, attempt, attempts_max, "trigger", scheduled_for, queued_at,
       not_before, priority, ended_at, coalesced, stdout_bytes, stderr_bytes, stdout_cut, stderr_cut)
     VALUES (@id, 'tsk_a', 'a', @state, @outcome, 2, 2, 'manual', 1, 1, 0, 0, @endedAt, 0, 5, 0, 0, 0)`,
  );
  const insertAttempt = sqlite.prepare(
    `INSERT INTO attempts (id, run_id, number, boot_id, created_at, stdout_bytes, stderr_bytes, stdout_cut, stderr_cut)
     VALUES (@run || @number, @run, @number, 'boot', 1, 100, 20, 30, 4)`,
  );
  for (const [id, outcome, endedAt] of [
    ["run_1", "success", 50],
    ["run_2", "success", 70],
    ["run_3", "failure", 90],
  ] as const) {
    insertRun.run({ id, outcome, endedAt, state: outcome === "success" ? "succeeded" : "failed" });
    for (const number of [1, 2]) insertAttempt.run({ run: id, number });
  }
  migrate(sqlite, all);
  const store = createTaskStore(db);
  expect([store.findResult("tsk_a"), store.findResult("tsk_b")]).toEqual([
    { taskId: "tsk_a", keptBytes: 6 * 86, lastSuccessAt: 70, countedFrom: 11, overdueAt: null },
    { taskId: "tsk_b", keptBytes: 0, lastSuccessAt: null, countedFrom: 11, overdueAt: null },
  ]);
  expect(createTaskStore(db).find("tsk_a")).toMatchObject({
    name: "tsk_a",
    description: "text",
    groupId: null,
    command: { kind: "exec", program: "true", arguments: [] },
    workingDirectory: "/srv",
    environmentNames: ["A"],
    environmentSealed: Buffer.from([1]),
    timeoutMs: 1_000,
    killGraceMs: 2_000,
    leftovers: "leave",
    runAs: null,
    priority: 7,
    concurrencyLimit: 3,
    concurrencyKey: null,
    onConflict: "skip",
    onLost: "fail",
    successExitCodes: [0, 3],
    outputBytesMax: 4_096,
    retentionRuns: 9,
    retentionAgeMs: 60_000,
    retentionBytes: 1024 ** 4,
    labels: { a: "b" },
    createdAt: 11,
    updatedAt: 12,
    revision: 13,
  });
  // the output of former attempts has no recorded order
  expect(sqlite.prepare("SELECT DISTINCT order_bytes FROM attempts").pluck().all()).toEqual([0]);
  expect(sqlite.prepare("SELECT task_id FROM task_labels").pluck().all()).toEqual(["tsk_a"]);
  expect(() => sqlite.exec("INSERT INTO task_labels VALUES ('a', 'b', 'tsk_none')")).toThrow(/FOREIGN KEY/);
  expect(() => sqlite.exec("DELETE FROM tasks WHERE id = 'tsk_b'")).toThrow(/FOREIGN KEY/);
  close();
});
