import { fc } from "@belfry/test-kit/properties";
import { describe, expect, test } from "vitest";
import type { Json } from "../support/harness.ts";
import { hourMs, minuteMs, openScheduling, short } from "../support/schedules.ts";

const start = "2026-03-01T00:00:00Z";

function lines(entries: readonly Json[]): readonly string[] {
  return entries.map((entry) => `${short(entry.at)} ${entry.schedule_name}`);
}

describe("the agenda", () => {
  test("lists the coming runs of all schedules, soonest first, one day ahead by default", async () => {
    await using scheduling = await openScheduling(start);
    const [one, two] = [await scheduling.addTask({ name: "one" }), await scheduling.addTask({ name: "two" })];
    await scheduling.addSchedule(one.id, { kind: "cron", expression: "0 */8 * * *", name: "a" });
    await scheduling.addSchedule(two.id, {
      kind: "interval",
      every: "9h",
      name: "b",
      starts_at: "2026-03-01T05:00:00Z",
    });
    await scheduling.addSchedule(two.id, { kind: "once", at: "2026-03-01T16:00:00Z", name: "c" });
    await scheduling.addSchedule(two.id, { kind: "boot", name: "d" });
    const agenda = await scheduling.get("/v1/agenda");
    expect(lines(agenda.entries).toSorted()).toEqual([
      "01 05:00 b",
      "01 08:00 a",
      "01 14:00 b",
      "01 16:00 a",
      "01 16:00 c",
      "01 23:00 b",
      "02 00:00 a",
    ]);
    expect(lines(agenda.entries)).toEqual(lines(agenda.entries.toSorted((x: Json, y: Json) => (x.at < y.at ? -1 : 0))));
    expect(agenda).toMatchObject({
      from: "2026-03-01T00:00:00.000Z",
      until: "2026-03-02T00:00:00.000Z",
      complete: true,
    });
    expect(agenda.entries[0]).toMatchObject({ task_id: two.id, task_name: "two", local: "2026-03-01T05:00:00+00:00" });
  });

  test("collapsed, a schedule with many times is one entry, and one with few has an entry for each", async () => {
    await using scheduling = await openScheduling(start);
    const task = await scheduling.addTask({ name: "one" });
    const add = (expression: string, name: string) =>
      scheduling.addSchedule(task.id, { kind: "cron", expression, name });
    await add("* * * * *", "minutely");
    await add("0 */8 * * *", "few");
    await add("*/5 9-16 * * *", "office");
    await scheduling.addSchedule(task.id, { kind: "interval", every: "5s", name: "often" });
    const { entries, complete } = await scheduling.get("/v1/agenda?collapse=true");
    expect(complete).toBe(true);
    expect(
      entries.map(({ at, schedule_name, count, last_at, every }: Json) => [
        short(at),
        schedule_name,
        count,
        short(last_at),
        every,
      ]),
    ).toEqual([
      ["01 00:00", "often", 17_280, "02 00:00", "5s"],
      ["01 00:01", "minutely", 1_440, "02 00:00", "1m"],
      ["01 08:00", "few", 1, "01 08:00", null],
      ["01 09:00", "office", 96, "01 16:55", null],
      ["01 16:00", "few", 1, "01 16:00", null],
      ["02 00:00", "few", 1, "02 00:00", null],
    ]);
    expect((await scheduling.get("/v1/agenda?limit=3")).entries).toHaveLength(3);
  });

  test("a collapsed schedule is called regular only if it stays so after the agenda", async () => {
    // the clocks of New York go forward on 8 March, and Monday is the 2nd
    await using scheduling = await openScheduling(start);
    const task = await scheduling.addTask({ name: "one" });
    const add = (name: string, timing: Json) => scheduling.addSchedule(task.id, { name, ...timing });
    for (const expression of ["0 9 * * *", "0 9 * * mon-fri", "0 9 1-20 * *", "*/30 * * * *", "0 9-17 * * *"])
      await add(expression, { kind: "cron", expression, time_zone: "America/New_York" });
    await add("ends", { kind: "interval", every: "1d", ends_at: "2026-03-20T00:00:00Z" });
    const { entries } = await scheduling.get(
      "/v1/agenda?collapse=true&from=2026-03-02T00:00:00Z&until=2026-03-07T00:00:00Z",
    );
    expect(Object.fromEntries(entries.map(({ schedule_name, every }: Json) => [schedule_name, every]))).toEqual({
      "0 9 * * *": "1d",
      "0 9 * * mon-fri": null,
      "0 9 1-20 * *": null,
      "*/30 * * * *": "30m",
      "0 9-17 * * *": null,
      ends: "1d",
    });
  });

  test("can be of one task, or of the tasks of one group", async () => {
    await using scheduling = await openScheduling(start);
    const { json: group } = await scheduling.call("POST", "/v1/groups", { name: "web" });
    const [one, two] = [
      await scheduling.addTask({ name: "one", group_id: group.id }),
      await scheduling.addTask({ name: "two" }),
    ];
    for (const task of [one, two])
      await scheduling.addSchedule(task.id, { kind: "cron", expression: "0 8 * * *", name: task.name });
    expect(lines((await scheduling.get(`/v1/agenda?task_id=${two.id}`)).entries)).toEqual(["01 08:00 two"]);
    expect(lines((await scheduling.get(`/v1/agenda?group_id=${group.id}`)).entries)).toEqual(["01 08:00 one"]);
    expect(lines((await scheduling.get("/v1/agenda?task_id=tsk_0")).entries)).toEqual([]);
  });

  test("ends at its limit, and reports whether more follows", async () => {
    await using scheduling = await openScheduling(start);
    const task = await scheduling.addTask();
    await scheduling.addSchedule(task.id, { kind: "cron", expression: "0 */8 * * *", name: "a" });
    const cut = await scheduling.get("/v1/agenda?limit=2");
    expect([lines(cut.entries), cut.complete]).toEqual([["01 08:00 a", "01 16:00 a"], false]);
    const whole = await scheduling.get("/v1/agenda?limit=3");
    expect([lines(whole.entries).at(-1), whole.complete]).toEqual(["02 00:00 a", true]);
  });

  test("includes the times at both its ends", async () => {
    await using scheduling = await openScheduling(start);
    const task = await scheduling.addTask();
    await scheduling.addSchedule(task.id, { kind: "cron", expression: "0 * * * *", name: "a" });
    const { entries } = await scheduling.get("/v1/agenda?from=2026-03-05T03:00:00Z&until=2026-03-05T04:00:00Z");
    expect(lines(entries)).toEqual(["05 03:00 a", "05 04:00 a"]);
    const backwards = await scheduling.call("GET", "/v1/agenda?from=2026-03-05T03:00:00Z&until=2026-03-05T02:00:00Z");
    expect(backwards.json.error).toMatchObject({ code: "validation_failed", field: "until" });
  });

  test("omits schedules that are disabled, paused, or of a task that cannot start", async () => {
    await using scheduling = await openScheduling(start);
    const group = await scheduling.send("POST", "/v1/groups", { name: "g" });
    const timing = { kind: "cron", expression: "0 */8 * * *" };
    const names = ["ready", "disabled", "draft", "blocked"];
    for (const name of names) {
      const command = name === "draft" ? { command: null } : {};
      const task = await scheduling.addTask({
        name,
        ...command,
        ...(name === "blocked" ? { group_id: group.id } : {}),
      });
      if (name === "disabled") await scheduling.send("POST", `/v1/tasks/${task.id}/disable`);
      await scheduling.addSchedule(task.id, { ...timing, name });
      if (name !== "ready") continue;
      await scheduling.addSchedule(task.id, { ...timing, name: "off", enabled: false });
      const paused = await scheduling.addSchedule(task.id, { ...timing, name: "paused" });
      await scheduling.send("POST", `/v1/schedules/${paused.id}/pause`, { until: "2026-03-01T12:00:00Z" });
    }
    await scheduling.send("POST", `/v1/groups/${group.id}/disable`);
    const { entries } = await scheduling.get("/v1/agenda");
    expect(lines(entries).toSorted()).toEqual([
      "01 08:00 ready",
      "01 16:00 paused",
      "01 16:00 ready",
      "02 00:00 paused",
      "02 00:00 ready",
    ]);
  });

  test("shows a scheduled time that jitter delays", async () => {
    await using scheduling = await openScheduling(start);
    const task = await scheduling.addTask();
    await scheduling.addSchedule(task.id, { kind: "once", at: "2026-03-01T01:00:00Z", jitter: "1d", name: "a" });
    await scheduling.clock.advance(hourMs + 1);
    expect(lines((await scheduling.get("/v1/agenda")).entries)).toEqual(["01 01:00 a"]);
  });

  test("equals the previews of all schedules in order, from any time on", async () => {
    await using scheduling = await openScheduling(start);
    const task = await scheduling.addTask();
    const random = fc.sample(
      fc.record({ every: fc.integer({ min: 1, max: 90 }), at: fc.integer({ min: 1, max: 600 }) }),
      { numRuns: 300, seed: 7 },
    );
    const schedules = random.map(({ every, at }, n) => ({
      key: `k${n}`,
      task_key: "t",
      name: `k${n}`,
      kind: "interval",
      every: `${every}m`,
      starts_at: new Date(Date.parse(start) + at * minuteMs).toISOString(),
    }));
    await scheduling.send("DELETE", `/v1/tasks/${task.id}`);
    await scheduling.send("POST", "/v1/import", {
      tasks: [{ key: "t", name: "t", command: { kind: "exec", program: "true" } }],
      schedules,
    });
    for (const [fromMinute, minutes] of [
      [0, 45],
      [100, 30],
      [599, 20],
      [5_000, 15],
    ] as const) {
      const from = Date.parse(start) + fromMinute * minuteMs;
      const until = from + minutes * minuteMs;
      const expected = random.flatMap(({ every, at }, n) => {
        const found: string[] = [];
        for (let t = Date.parse(start) + at * minuteMs; t <= until; t += every * minuteMs)
          if (t >= from && t > Date.parse(start)) found.push(`${short(new Date(t).toISOString())} k${n}`);
        return found;
      });
      const query = `from=${new Date(from).toISOString()}&until=${new Date(until).toISOString()}&limit=1000`;
      const { entries, complete } = await scheduling.get(`/v1/agenda?${query}`);
      const times = entries.map(({ at }: Json) => at);
      expect(times).toEqual(times.toSorted());
      if (complete) expect(lines(entries).toSorted()).toEqual(expected.toSorted());
      else expect(entries).toHaveLength(1_000);
    }
  });
});

describe("the preview", () => {
  test("shows local times, offsets and the effect of daylight saving", async () => {
    await using scheduling = await openScheduling("2026-03-06T00:00:00Z");
    const draft = { kind: "cron", expression: "30 2 * * *", time_zone: "america/new_york" };
    const { time_zone, occurrences } = await scheduling.send("POST", "/v1/schedules/preview", { draft, count: 3 });
    expect(time_zone).toBe("America/New_York");
    expect(occurrences.map(({ local, offset, dst_note }: Json) => [local, offset, dst_note])).toEqual([
      ["2026-03-06T02:30:00-05:00", "-05:00", null],
      ["2026-03-07T02:30:00-05:00", "-05:00", null],
      ["2026-03-08T03:00:00-04:00", "-04:00", "gap"],
    ]);
  });

  test("begins after a given time, and returns at most the requested count, and nothing for a boot schedule", async () => {
    await using scheduling = await openScheduling(start);
    const count = async (body: object) =>
      (await scheduling.send("POST", "/v1/schedules/preview", body)).occurrences.map((o: Json) =>
        o.instant.slice(0, 10),
      );
    const draft = { kind: "cron", expression: "0 0 29 2 *" };
    expect(await count({ draft, count: 2 })).toEqual(["2028-02-29", "2032-02-29"]);
    expect(await count({ draft, from: "2028-02-29T00:00:00Z", count: 1 })).toEqual(["2032-02-29"]);
    expect(await count({ draft: { ...draft, ends_at: "2033-01-01T00:00:00Z" } })).toEqual(["2028-02-29", "2032-02-29"]);
    expect(await count({ draft: { kind: "interval", every: "1s" }, count: 1_000 })).toHaveLength(1_000);
    expect(await count({ draft: { kind: "boot" } })).toEqual([]);
  });
});
