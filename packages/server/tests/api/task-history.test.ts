import { ManualClock } from "@belfry/test-kit";
import type { Database } from "better-sqlite3";
import { expect, test } from "vitest";
import { createHistoryStore } from "../../src/features/runs/history-store.ts";
import { soleSource } from "../../src/features/runs/source.ts";
import { makeGroup, makeTask } from "../support/api.ts";
import { openTestApplication } from "../support/application.ts";
import { plansOf } from "../support/plans.ts";
import { endRun } from "../support/runs.ts";

const minuteMs = 60_000;

test("a task shows its last run and its newest five outcomes, newest first, and its revision stays", async () => {
  const clock = new ManualClock("2026-03-01T00:00:00Z");
  await using app = await openTestApplication({ clock });
  const task = await makeTask(app, {});
  expect(task).toMatchObject({ last_run: null, recent_outcomes: [], next_run_at: null });
  const ended: string[] = [];
  for (const exitCode of [0, 0, 1, 0, 3, 3]) {
    await clock.advance(minuteMs);
    ended.unshift((await endRun(app, task.id, { exitCode })).id);
  }
  const { json } = await app.call("GET", `/v1/tasks/${task.id}`);
  expect(json).toMatchObject({
    last_run: {
      id: ended[0],
      state: "failed",
      outcome: "failure",
      reason: "exit_code",
      exit_code: 3,
      signal: null,
      started_at: "2026-03-01T00:06:00.000Z",
      ended_at: "2026-03-01T00:06:00.250Z",
      duration_ms: 250,
    },
    revision: 1,
  });
  expect(json.recent_outcomes.map(({ run_id }: { readonly run_id: string }) => run_id)).toEqual(ended.slice(0, 5));
  expect(json.recent_outcomes.map(({ outcome }: { readonly outcome: string }) => outcome)).toEqual([
    "failure",
    "failure",
    "success",
    "failure",
    "success",
  ]);
  expect(json.recent_outcomes[0].ended_at).toBe("2026-03-01T00:06:00.250Z");
  expect((await app.call("GET", "/v1/tasks")).json.tasks).toEqual([json]);
});

test("an active run, and a run in the pause before a retry, is the last run; a skipped one never is", async () => {
  const clock = new ManualClock("2026-03-01T00:00:00Z");
  await using app = await openTestApplication({ clock });
  const { inside } = app;
  const { id } = await makeTask(app, { retry: { max_attempts: 2 }, concurrency: { limit: 1, on_conflict: "skip" } });
  const lastRun = async () => (await app.call("GET", `/v1/tasks/${id}`)).json.last_run;
  await endRun(app, id);
  await clock.advance(minuteMs);
  const retried = await endRun(app, id, { exitCode: 1 });
  expect(await lastRun()).toMatchObject({ id: retried.id, state: "queued", outcome: null, ended_at: null });
  await clock.advance(minuteMs);
  inside.write((unit) => inside.lifecycle.dispatch(unit, inside.runStore.find(retried.id)!, "test"));
  expect(await lastRun()).toMatchObject({ id: retried.id, state: "dispatching", duration_ms: null });
  const source = soleSource({ trigger: "manual" }, clock.now(), clock.now());
  const skipped = inside.write((unit) => inside.requests.requestFor(unit, inside.tasks.get(id), source));
  expect(skipped.state).toBe("skipped");
  expect(await lastRun()).toMatchObject({ id: retried.id, state: "dispatching" });
  expect((await app.call("GET", `/v1/tasks/${id}`)).json.recent_outcomes).toHaveLength(1);
});

test("the next run is the soonest of all schedules, and null where the task cannot start then", async () => {
  const clock = new ManualClock("2026-03-01T00:00:00Z");
  await using app = await openTestApplication({ clock });
  const group = await makeGroup(app);
  const task = await makeTask(app, { group_id: group.id });
  const nextRun = async () => (await app.call("GET", `/v1/tasks/${task.id}`)).json.next_run_at;
  const add = (timing: object) => app.call("POST", "/v1/schedules", { task_id: task.id, ...timing });
  await add({ kind: "cron", expression: "0 3 * * *" });
  const hourly = await add({ kind: "interval", every: "1h" });
  expect(await nextRun()).toBe("2026-03-01T01:00:00.000Z");
  await app.call("POST", `/v1/schedules/${hourly.json.id}/pause`, {});
  expect(await nextRun()).toBe("2026-03-01T03:00:00.000Z");
  for (const path of [`/v1/tasks/${task.id}`, `/v1/groups/${group.id}`]) {
    await app.call("POST", `${path}/disable`);
    expect(await nextRun()).toBeNull();
    await app.call("POST", `${path}/enable`);
    expect(await nextRun()).toBe("2026-03-01T03:00:00.000Z");
  }
});

test("a history goes back as far as it must, however many skipped and failed runs are newer", async () => {
  const clock = new ManualClock("2026-03-01T00:00:00Z");
  await using app = await openTestApplication({ clock });
  const { inside } = app;
  const { id } = await makeTask(app, { concurrency: { limit: 1, on_conflict: "skip" } });
  const succeeded = await endRun(app, id);
  await clock.advance(minuteMs);
  const failed = await endRun(app, id, { exitCode: 1 });
  const source = () => soleSource({ trigger: "manual" }, clock.now(), clock.now());
  const active = inside.write((unit) => inside.requests.requestFor(unit, inside.tasks.get(id), source()));
  inside.write((unit) => inside.lifecycle.dispatch(unit, active, "test"));
  for (let skipped = 0; skipped < 25; skipped++) {
    await clock.advance(minuteMs);
    const run = inside.write((unit) => inside.requests.requestFor(unit, inside.tasks.get(id), source()));
    expect(run.state).toBe("skipped");
  }
  const history = async () => (await app.call("GET", `/v1/tasks/${id}`)).json;
  const recent = (...runs: readonly { readonly id: string }[]) => runs.map((run) => ({ run_id: run.id }));
  expect(await history()).toMatchObject({
    last_run: { id: active.id, state: "dispatching" },
    recent_outcomes: recent(failed, succeeded),
    usual_duration_ms: 250,
  });
});

test("the histories of a page of tasks are read by indexes, with as many queries as that of one task", async () => {
  const plansFor = (count: number, skipped: number) =>
    plansOf(
      (db) => {
        const ids = Array.from({ length: count }, (_, index) => `tsk_${index}`);
        plant(db.$client, ids, skipped);
        return { ids, ...createHistoryStore(db) };
      },
      ({ ids, readHistories }) => readHistories(ids),
    );
  for (const [skipped, queries] of [
    [0, 2],
    [20, 5],
  ] as const) {
    const plans = await plansFor(100, skipped);
    expect(plans).toEqual(await plansFor(1, skipped));
    expect(plans).toHaveLength(queries);
    for (const plan of plans) expect(plan).not.toMatch(/SCAN (runs|ends|tasks)\b|ORDER BY/);
    expect(plans.filter((plan) => plan.includes("INDEX runs_by_end (task_id=? AND ended_at>?)"))).toHaveLength(
      queries - 1,
    );
  }
});

/** Stores these tasks, each with so many skipped runs, and nothing else that a row must have. */
function plant(sqlite: Database, ids: readonly string[], skipped: number): void {
  for (const pragma of ["foreign_keys = OFF", "ignore_check_constraints = ON"]) sqlite.pragma(pragma);
  const insert = (table: string, values: Readonly<Record<string, string | number>>) => {
    const columns = sqlite.pragma(`table_info(${table})`) as { readonly name: string; readonly notnull: number }[];
    const row = columns.map(({ name, notnull }) => values[name] ?? (notnull === 1 ? 0 : null));
    const literal = row.map((value) => (typeof value === "string" ? `'${value}'` : `${value}`)).join();
    sqlite.exec(`INSERT INTO ${table} VALUES (${literal})`);
  };
  for (const id of ids) {
    insert("tasks", { id, name_key: id });
    for (let run = 0; run < skipped; run++)
      insert("runs", { id: `${id}_${run}`, task_id: id, state: "skipped", ended_at: run });
  }
}
