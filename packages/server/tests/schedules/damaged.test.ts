import BetterSqlite from "better-sqlite3";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createLog, type LogEntry } from "../../src/kernel/log/log.ts";
import { hourMs, minuteMs, openScheduling, describeRow } from "../support/schedules.ts";

const everyHour = { kind: "cron", expression: "0 * * * *" };
const atThree = { kind: "cron", expression: "0 3 * * *" };

/** Opens a task with schedules whose rows can be changed while no daemon runs. */
async function openDamaged(start: string, bootId = "first") {
  const entries: LogEntry[] = [];
  const log = createLog({ now: () => 0 }, "info", [(entry) => void entries.push(entry)]);
  const scheduling = await openScheduling(start, { log, bootId });
  const task = await scheduling.addTask();
  return {
    ...scheduling,
    task,
    add: (name: string, timing: object) => scheduling.addSchedule(task.id, { name, ...timing }),
    runsOf: async (schedule: { readonly id: string }) =>
      (await scheduling.runs(task.id)).filter((run) => run.source_schedule_id === schedule.id).map(describeRow),
    nextOf: async (schedule: { readonly id: string }) =>
      (await scheduling.get(`/v1/schedules?limit=1000`)).schedules.find(({ id }: { id: string }) => id === schedule.id)
        .next_run_at,
    rewrite: (sql: string, ...values: readonly unknown[]): void => {
      using closing = new DisposableStack();
      const sqlite = new BetterSqlite(join(scheduling.dataDir, "belfry.db"));
      closing.defer(() => sqlite.close());
      if (values.length === 0) sqlite.exec(sql);
      else sqlite.prepare(sql).run(...values);
    },
    logged: (event: string) => entries.filter((entry) => entry.event === event).map(({ fields }) => fields),
    [Symbol.asyncDispose]: () => scheduling[Symbol.asyncDispose](),
  };
}

const setZone = "UPDATE schedules SET time_zone = ? WHERE id = ?";

test("after a clock is set back, a schedule that cannot be planned delays no other, and continues once it can", async () => {
  await using damaged = await openDamaged("2026-03-02T00:00:10Z");
  const good = await damaged.add("good", everyHour);
  const bad = await damaged.add("bad", everyHour);
  await damaged.stop();
  damaged.rewrite(setZone, "Mars/Base", bad.id);
  damaged.clock.jump(-24 * hourMs);
  await damaged.start();
  await damaged.clock.advance(2 * hourMs);
  expect(await damaged.runsOf(good)).toEqual(["01 01:00 queued", "01 02:00 queued"]);
  expect(damaged.logged("ticker.failed")).toEqual([]);
  const failures = damaged.logged("schedule.failed");
  expect(new Set(failures.map((fields) => fields["schedule_id"]))).toEqual(new Set([bad.id]));
  expect(failures.length).toBeLessThanOrEqual(122);
  await damaged.stop();
  damaged.rewrite(setZone, "UTC", bad.id);
  await damaged.start();
  await damaged.clock.advance(hourMs);
  expect(await damaged.runsOf(bad)).toEqual(["01 02:00 queued +1 from 01 01:00", "01 03:00 queued"]);
});

test("a boot schedule that cannot be recorded is retried each minute, and runs once", async () => {
  await using damaged = await openDamaged("2026-03-01T00:00:00Z");
  const good = await damaged.add("good", { kind: "boot" });
  const bad = await damaged.add("bad", { kind: "boot" });
  await damaged.stop();
  damaged.rewrite(`CREATE TRIGGER damage BEFORE INSERT ON runs WHEN NEW.source_schedule_id = '${bad.id}'
    BEGIN SELECT RAISE(ABORT, 'damaged'); END`);
  await damaged.start({ bootId: "second" });
  await damaged.clock.advance(3 * minuteMs + 1);
  expect(await damaged.runsOf(good)).toEqual(["01 00:00 queued"]);
  expect(await damaged.runsOf(bad)).toEqual([]);
  expect(damaged.logged("schedule.failed").map((fields) => fields["schedule_id"])).toEqual(Array(4).fill(bad.id));
  // another connection repairs the row while the daemon runs
  damaged.rewrite("DROP TRIGGER damage");
  await damaged.clock.advance(5 * minuteMs);
  expect(await damaged.runsOf(good)).toHaveLength(1);
  expect(await damaged.runsOf(bad)).toEqual(["01 00:04 queued"]);
});

test.each([
  ["planned", (id: string) => `UPDATE schedules SET expression = 'now and then' WHERE id = '${id}'`],
  [
    "written",
    (id: string) => `CREATE TRIGGER damage BEFORE UPDATE ON schedules WHEN OLD.id = '${id}'
      BEGIN SELECT RAISE(ABORT, 'damaged'); END`,
  ],
])("a schedule that cannot be %s does not keep another schedule in a former zone", async (_, damage) => {
  await using damaged = await openDamaged("2026-03-01T12:00:00Z");
  const schedules = [];
  for (let number = 0; number < 30; number++) schedules.push(await damaged.add(`n${number}`, atThree));
  const [bad] = schedules;
  await damaged.stop();
  damaged.rewrite(damage(bad.id));
  await damaged.start({ config: { zone: "America/New_York" } });
  await damaged.clock.advance(1);
  for (const schedule of schedules) {
    const hour = schedule === bad ? "03" : "08";
    expect(await damaged.nextOf(schedule), schedule.name).toBe(`2026-03-02T${hour}:00:00.000Z`);
  }
  expect(damaged.logged("plan_check.failed").map((fields) => fields["schedule_id"])).toEqual([bad.id]);
});

test("missed times of a postponed schedule are recorded, even if its group's zone is changed first", async () => {
  await using damaged = await openDamaged("2026-03-01T00:00:00Z");
  const group = await damaged.send("POST", "/v1/groups", { name: "group" });
  await damaged.send("PATCH", `/v1/tasks/${damaged.task.id}`, { group_id: group.id });
  const bad = await damaged.add("bad", atThree);
  const rewrite = "UPDATE schedules SET expression = ? WHERE id = ?";
  await damaged.stop();
  damaged.rewrite(rewrite, "now and then", bad.id);
  await damaged.start();
  await damaged.clock.advance(3 * hourMs);
  await damaged.stop();
  damaged.rewrite(rewrite, atThree.expression, bad.id);
  await damaged.start();
  await damaged.send("PATCH", `/v1/groups/${group.id}`, { time_zone: "Europe/Berlin" });
  await damaged.clock.advance(minuteMs);
  expect(await damaged.runsOf(bad)).toEqual(["01 02:00 queued"]);
});

test.each([
  ["time zone", "UPDATE schedules SET time_zone = 'Mars/Base' WHERE id = ?", /time zone "Mars\/Base" is not a known/],
  ["expression", "UPDATE schedules SET expression = 'now and then' WHERE id = ?", /its expression /],
  ["definition", "UPDATE schedules SET expression = NULL WHERE id = ?", /its definition is damaged/],
])("a schedule with a damaged %s is listed as such, and holds up no answer and no change", async (_, damage, fault) => {
  await using damaged = await openDamaged("2026-03-01T00:00:00Z");
  const group = await damaged.send("POST", "/v1/groups", { name: "group" });
  await damaged.send("PATCH", `/v1/tasks/${damaged.task.id}`, { group_id: group.id });
  const good = await damaged.add("good", atThree);
  const bad = await damaged.add("bad", atThree);
  await damaged.stop();
  try {
    damaged.rewrite(damage, bad.id);
  } catch {
    // the table refuses this damage, which is then read around it
    damaged.rewrite(`PRAGMA ignore_check_constraints = ON; ${damage.replace("?", `'${bad.id}'`)}`);
  }
  await damaged.start();

  const agenda = await damaged.get("/v1/agenda");
  expect(agenda.entries.map((entry: { schedule_id: string }) => entry.schedule_id)).toEqual([good.id]);
  expect(agenda.unplanned).toEqual([
    {
      schedule_id: bad.id,
      schedule_name: "bad",
      task_id: damaged.task.id,
      task_name: "work",
      reason: expect.stringMatching(fault),
    },
  ]);
  const why = await damaged.get(`/v1/tasks/${damaged.task.id}/why`);
  expect(why.schedules.map(({ reason }: { reason: string }) => reason).toSorted()).toEqual([
    expect.stringMatching(/^No run was scheduled/),
    expect.stringMatching(/^The schedule cannot be planned: /),
  ]);
  await damaged.send("PATCH", `/v1/groups/${group.id}`, { time_zone: "Europe/Berlin" });
  expect(await damaged.nextOf(good)).toBe("2026-03-01T02:00:00.000Z");
  expect(await damaged.send("PATCH", `/v1/schedules/${bad.id}`, { name: "worse" })).toMatchObject({ name: "worse" });
  const preview = await damaged.call("POST", "/v1/schedules/preview", { schedule_id: bad.id, count: 1 });
  expect(preview.json.error).toMatchObject({ code: "validation_failed", message: expect.stringMatching(fault) });
  await damaged.send("POST", `/v1/schedules/${bad.id}/pause`, { until: "2026-03-02T00:00:00Z" });
  await damaged.send("POST", `/v1/schedules/${bad.id}/disable`);
  expect((await damaged.call("POST", `/v1/schedules/${bad.id}/enable`)).status).toBe(400);
  expect((await damaged.get("/v1/agenda")).unplanned).toEqual([]);
  const repair = { expression: "0 4 * * *", time_zone: "UTC" };
  await damaged.send("PATCH", `/v1/schedules/${bad.id}`, repair);
  await damaged.send("POST", `/v1/schedules/${bad.id}/enable`);
  expect(await damaged.nextOf(bad)).toBe("2026-03-02T04:00:00.000Z");
});
