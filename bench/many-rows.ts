import BetterSqlite, { type Database } from "better-sqlite3";
import { setTimeout } from "node:timers/promises";
import { join } from "node:path";
import { startDaemon } from "./daemon.ts";

export interface Counts {
  /** Each with a schedule that is not due for months. */
  readonly tasks: number;
  /** They ended within the last 60 days. */
  readonly runs: number;
}

/** Creates a data directory with many tasks and runs: one of each by the API, and the others as copies of its rows. */
export async function makeManyRows(dataDir: string, { tasks, runs }: Counts): Promise<void> {
  const one = await makeOne(dataDir);
  using closing = new DisposableStack();
  const sqlite = closing.adopt(new BetterSqlite(join(dataDir, "belfry.db")), (opened) => opened.close());
  sqlite.pragma("synchronous = OFF");
  const taskId = "'tsk_' || printf('%020d', n)";
  const copies = [
    ["tasks", tasks, one.task, { id: taskId, name: "'task ' || n", name_key: "'task ' || n" }],
    ["task_results", tasks, one.task, { task_id: taskId }],
    ["schedules", tasks, one.schedule, { id: "'sch_' || printf('%020d', n)", task_id: taskId, name_key: "'s' || n" }],
    [
      "runs",
      runs,
      one.run,
      {
        id: "'run_' || printf('%020d', n)",
        task_id: `'tsk_' || printf('%020d', n % ${tasks})`,
        task_name: `'task ' || (n % ${tasks})`,
        attempt_id: "'att_' || printf('%020d', n)",
        ...Object.fromEntries(
          ["scheduled_for", "queued_at", "not_before", "started_at", "ended_at"].map((name) => [
            name,
            // spread over 60 days, the oldest first, as a daemon stores them
            `${name} - (${runs} - n) * ${Math.floor((60 * 86_400_000) / runs)}`,
          ]),
        ),
      },
    ],
    ["attempts", runs, one.attempt, { id: "'att_' || printf('%020d', n)", run_id: "'run_' || printf('%020d', n)" }],
  ] as const;
  for (const [table, count, id, changed] of copies) copyRow(sqlite, { table, count, id, changed });
  sqlite.pragma("wal_checkpoint(TRUNCATE)");
}

/** Creates a task with a schedule, and a run of it. */
async function makeOne(dataDir: string) {
  await using daemon = await startDaemon(dataDir);
  const task = await daemon.call("POST", "/v1/tasks", { name: "one", command: { kind: "exec", program: "/bin/true" } });
  const schedule = await daemon.call("POST", "/v1/schedules", {
    task_id: task.id,
    kind: "cron",
    expression: "0 3 1 1 *",
    time_zone: "UTC",
  });
  const run = await daemon.call("POST", `/v1/tasks/${task.id}/run`);
  for (;;) {
    const { state } = await daemon.call("GET", `/v1/runs/${run.id}`);
    if (state === "succeeded") break;
    await setTimeout(20);
  }
  return { task: task.id as string, schedule: schedule.id as string, run: run.id as string, attempt: run.id as string };
}

interface Copies {
  readonly table: string;
  readonly count: number;
  /** The id of the row to copy, or of the row that it belongs to. */
  readonly id: string;
  /** Expressions of columns that differ from the row; `n` counts from 1. */
  readonly changed: Readonly<Record<string, string>>;
}

function copyRow(sqlite: Database, { table, count, id, changed }: Copies): void {
  const columns = sqlite.prepare<[], { readonly name: string }>(`SELECT name FROM pragma_table_info('${table}')`).all();
  const names = columns.map(({ name }) => name);
  const key = table === "attempts" ? "run_id" : names.includes("id") ? "id" : "task_id";
  sqlite
    .prepare(
      `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
       INSERT INTO ${table} (${names.join(", ")})
       SELECT ${names.map((name) => changed[name] ?? name).join(", ")} FROM ${table}, numbers WHERE ${table}.${key} = ?`,
    )
    .run(count, id);
}
