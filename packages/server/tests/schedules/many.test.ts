import { limits } from "@belfry/contract";
import { inBatches, tempDir, until } from "@belfry/test-kit";
import BetterSqlite from "better-sqlite3";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createLog, type LogEntry } from "../../src/kernel/log/log.ts";
import { expect, test } from "vitest";
import { untilRound } from "../support/rounds.ts";
import { hourMs, minuteMs, openScheduling, describeRow } from "../support/schedules.ts";

const atOne = { kind: "cron", expression: "0 1 * * *" };

test("200 schedules that are due at the same time each run once, even if the daemon restarts meanwhile", async () => {
  await using out = await tempDir();
  const file = join(out.path, "ran");
  await using scheduling = await openScheduling("2026-03-01T00:59:00Z", { config: { runsAtOnceMax: 8 } });
  const script = `echo $BELFRY_RUN_ID >> ${file}`;
  const task = await scheduling.addTask({ command: { kind: "shell", script }, concurrency: { limit: 8 } });
  for (let n = 0; n < 200; n++) await scheduling.addSchedule(task.id, { ...atOne, name: `n${n}` });
  await scheduling.clock.advance(minuteMs);
  const ranAtLeast = (count: number) =>
    until(
      `${count} runs`,
      async () => {
        const lines = (await readFile(file, "utf8").catch(() => "")).split("\n").filter(Boolean);
        return lines.length >= count ? lines : null;
      },
      300_000,
    );
  await ranAtLeast(20);
  await scheduling.stop();
  await scheduling.start();
  await ranAtLeast(200);
  await untilRound(
    scheduling,
    "all ends",
    async () => (await scheduling.get("/v1/runs?limit=1000&state=succeeded")).runs.length === 200,
  );
  const lines = await ranAtLeast(200);
  expect(new Set(lines).size).toBe(200);
  expect(lines).toHaveLength(200);
  const runs = await scheduling.runs(task.id);
  expect(new Set(runs.map((run) => run.source_schedule_id)).size).toBe(200);
  expect(new Set(runs.map(describeRow))).toEqual(new Set(["01 01:00 succeeded exit_code"]));
});

test("thousands of schedules that are due together are recorded in slices, and other work runs in between", async () => {
  await using scheduling = await openScheduling("2026-03-01T00:59:00Z");
  const count = 2_000;
  for (const keys of inBatches(
    Array.from({ length: count }, (_, n) => `k${n}`),
    limits.importItemsMax,
  )) {
    const tasks = keys.slice(0, 5);
    const imported = await scheduling.send("POST", "/v1/import", {
      tasks: tasks.map((key) => ({ key, name: key, command: { kind: "exec", program: "true" } })),
      schedules: keys.map((key, n) => ({ key, task_key: tasks[n % tasks.length], name: key, ...atOne })),
    });
    expect(imported.schedules).toHaveLength(keys.length);
  }
  const answered = async (): Promise<number> => {
    const { entries } = await scheduling.get("/v1/agenda?limit=1000&until=2026-03-01T01:30:00Z");
    return count - entries.length;
  };
  await scheduling.clock.advance(minuteMs);
  const first = await answered();
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThan(count);
  await untilRound(scheduling, "all answers", async () => (await answered()) === count);
  const { json } = await scheduling.call("GET", "/v1/runs?limit=1000&state=queued");
  expect(json.runs).toHaveLength(1_000);
});

test("a burst is prepared shortly before its instant, and nobody sees it before", async () => {
  await using scheduling = await openScheduling("2026-03-01T00:59:00Z");
  const { clock } = scheduling;
  const due = Date.parse("2026-03-01T01:00:00Z");
  const task = await scheduling.addTask();
  const count = 40;
  for (let n = 0; n < count; n++) await scheduling.addSchedule(task.id, { ...atOne, name: `n${n}` });
  using sqlite = openReading(scheduling.dataDir);
  const countRuns = sqlite.prepare("SELECT count(*) FROM runs").pluck();
  const seen: { readonly at: number; readonly runs: unknown }[] = [];
  const block = (ms: number): void => {
    seen.push({ at: clock.now(), runs: countRuns.get() });
    clock.jump(ms);
  };
  Object.assign(clock, { block });
  await clock.advance(minuteMs + 1_000);
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.every(({ at, runs }) => at < due && at >= due - 25 && runs === 0)).toBe(true);
  const { runs } = await scheduling.get("/v1/runs?limit=1000");
  expect(runs.map((run: { queued_at: string }) => Date.parse(run.queued_at))).toEqual(Array(count).fill(due));
});

test("a clock that is set back while a burst waits for its instant starts nothing before it", async () => {
  await using scheduling = await openScheduling("2026-03-01T00:59:00Z");
  const { clock } = scheduling;
  const task = await scheduling.addTask();
  const count = 40;
  for (let n = 0; n < count; n++) await scheduling.addSchedule(task.id, { ...atOne, name: `n${n}` });
  let blocks = 0;
  const block = (ms: number): void => clock.jump(++blocks === 1 ? -10_000 : ms);
  Object.assign(clock, { block });
  const countRuns = async (): Promise<number> => (await scheduling.get("/v1/runs?limit=1000")).runs.length;
  await clock.advance(minuteMs);
  expect([blocks, await countRuns()]).toEqual([1, 0]);
  await clock.advance(12_000);
  const { runs } = await scheduling.get("/v1/runs?limit=1000");
  expect(new Set((runs as { source_schedule_id: string }[]).map((run) => run.source_schedule_id)).size).toBe(count);
  expect(runs).toHaveLength(count);
});

function openReading(dataDir: string) {
  const sqlite = new BetterSqlite(join(dataDir, "belfry.db"), { readonly: true });
  return Object.assign(sqlite, { [Symbol.dispose]: () => void sqlite.close() });
}

test("a schedule that cannot be recorded delays no other, and is retried", async () => {
  const entries: LogEntry[] = [];
  const log = createLog({ now: () => 0 }, "error", [(entry) => void entries.push(entry)]);
  await using scheduling = await openScheduling("2026-03-01T00:00:30Z", { log });
  const task = await scheduling.addTask();
  const everyMinute = { kind: "cron", expression: "* * * * *", misfire: { policy: "run_all" } };
  const good = await scheduling.addSchedule(task.id, { ...everyMinute, name: "good" });
  const bad = await scheduling.addSchedule(task.id, { ...everyMinute, name: "bad" });
  const damage = async (expression: string): Promise<void> => {
    await scheduling.stop();
    const sqlite = new BetterSqlite(join(scheduling.dataDir, "belfry.db"));
    sqlite.prepare("UPDATE schedules SET expression = ? WHERE id = ?").run(expression, bad.id);
    sqlite.close();
    await scheduling.start();
  };
  await damage("every now and then");
  await scheduling.clock.advance(3 * minuteMs);
  const ofGood = async () =>
    (await scheduling.runs(task.id)).filter((run) => run.source_schedule_id === good.id).map(describeRow);
  expect(await ofGood()).toEqual(["01 00:01 queued", "01 00:02 queued", "01 00:03 queued"]);
  const failures = entries.filter(({ event }) => event === "schedule.failed");
  expect(new Set(failures.map(({ fields }) => fields["schedule_id"]))).toEqual(new Set([bad.id]));
  expect(failures.length).toBeLessThanOrEqual(3);
  await damage("* * * * *");
  await scheduling.clock.advance(minuteMs);
  const ofBad = (await scheduling.runs(task.id)).filter((run) => run.source_schedule_id === bad.id).map(describeRow);
  expect(ofBad).toEqual(["01 00:01 queued", "01 00:02 queued", "01 00:03 queued", "01 00:04 queued"]);
});

test("waiting runs of one schedule start in the order of their scheduled times", async () => {
  await using out = await tempDir();
  const file = join(out.path, "ran");
  await using scheduling = await openScheduling("2026-03-01T00:30:00Z", { config: { runsAtOnceMax: 8 } });
  const script = `echo $BELFRY_SCHEDULED_FOR >> ${file}`;
  const task = await scheduling.addTask({ command: { kind: "shell", script } });
  await scheduling.addSchedule(task.id, { kind: "cron", expression: "0 * * * *", misfire: { policy: "run_all" } });
  await scheduling.stop();
  await scheduling.clock.advance(12 * hourMs);
  await scheduling.start();
  const lines = await until("all runs", async () => {
    const seen = (await readFile(file, "utf8").catch(() => "")).split("\n").filter(Boolean);
    return seen.length === 12 ? seen : null;
  });
  expect(lines).toEqual(lines.toSorted());
});
