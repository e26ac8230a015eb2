import { createTimelineStore } from "../../src/features/timeline/store.ts";
import { statesFromWorst, type RunState } from "@belfry/contract";
import { fc } from "@belfry/test-kit/properties";
import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { makeGroup, makeTask } from "../support/api.ts";
import { openTestApplication, type TestApplication } from "../support/application.ts";
import type { Json } from "../support/harness.ts";
import { plansOf } from "../support/plans.ts";
import { endRun } from "../support/runs.ts";

const now = Date.parse("2026-03-10T12:00:00Z");
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const time = (at: number): string => new Date(at).toISOString();

async function makeSchedule(app: TestApplication, body: object): Promise<Json> {
  const { status, json } = await app.call("POST", "/v1/schedules", body);
  expect(status, JSON.stringify(json)).toBe(201);
  return json;
}

/** A run, in minutes from now. A run without an end is active. */
interface Planted {
  readonly state: RunState;
  readonly queued: number;
  readonly length: number;
  /** How many earlier times, one a minute, are merged into the run. */
  readonly merged?: number;
}

interface Period {
  readonly from: number;
  readonly until: number;
  readonly buckets?: number;
}

/** Adds runs of a task that ended, or began, before now, as copies of a real one. */
async function plant(app: TestApplication, taskId: string, planted: readonly Planted[]): Promise<void> {
  const { id } = await endRun(app, taskId);
  const { runStore, write } = app.inside;
  const model = runStore.find(id)!;
  write(() => {
    for (const [index, { state, queued, length, merged = 0 }] of planted.entries()) {
      const queuedAt = now + queued * 60_000;
      const isEnded = !["running", "queued"].includes(state);
      runStore.insert({
        ...model,
        id: `run_${taskId.slice(4, 14)}${String(index).padStart(10, "0")}`,
        attemptId: null,
        state,
        outcome: state === "succeeded" ? "success" : state === "failed" ? "failure" : null,
        queuedAt,
        scheduledFor: queuedAt,
        startedAt: state === "skipped" || state === "queued" ? null : queuedAt,
        endedAt: isEnded ? Math.min(queuedAt + length * 60_000, now - 1) : null,
        coalesced: merged,
        coalescedFrom: merged === 0 ? null : queuedAt - merged * 60_000,
      });
    }
  });
}

const plantedRuns = (min: number, max: number) =>
  fc.array(
    fc.record({
      state: fc.constantFrom<RunState>("succeeded", "succeeded", "failed", "cancelled", "skipped", "running", "queued"),
      queued: fc.integer({ min: -3 * 24 * 60, max: -1 }),
      length: fc.oneof(fc.integer({ min: 0, max: 10 }), fc.integer({ min: 0, max: 2_000 })),
    }),
    { minLength: min, maxLength: max },
  );

async function everyRun(app: TestApplication, taskId: string): Promise<readonly Json[]> {
  return (await app.call("GET", `/v1/runs?limit=1000&task_id=${taskId}`)).json.runs;
}

async function read(app: TestApplication, period: Period, more = ""): Promise<Json> {
  const buckets = period.buckets === undefined ? "" : `&buckets=${period.buckets}`;
  const path = `/v1/timeline?from=${time(period.from)}&until=${time(period.until)}${buckets}${more}`;
  const { status, json } = await app.call("GET", path);
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
}

/** The runs of a period by their plain definition. */
function expectedRuns(runs: readonly Json[], { from, until }: Period): readonly string[] {
  return runs
    .filter(({ state, queued_at, ended_at }) => {
      const [queued, ended] = [Date.parse(queued_at), ended_at === null ? null : Date.parse(ended_at)];
      if (ended === null) return queued < until;
      if (ended < until) return ended >= from;
      return until <= now && queued < until && state !== "skipped";
    })
    .map(({ id }): string => id)
    .toSorted();
}

/** The runs that lasted through a part in which no run ended, by their plain definition: the 100 longest. */
function expectedLasting(
  ended: readonly Json[],
  buckets: readonly Json[],
  { from, until, buckets: parts }: Required<Period>,
): readonly string[] {
  const width = Math.ceil((until - from) / parts);
  const starts = new Set(buckets.map((bucket): string => bucket.from));
  const empty = Array.from({ length: parts }, (_, place) => from + place * width).filter((at) => !starts.has(time(at)));
  const begin = ({ started_at }: Json): number => Math.max(from, Date.parse(started_at));
  const length = (run: Json): number => Date.parse(run.ended_at) - begin(run);
  return ended
    .filter((run) => run.started_at !== null)
    .filter((run) => empty.some((at) => begin(run) < at + width && Date.parse(run.ended_at) >= at))
    .toSorted((one, other) => length(other) - length(one) || (one.id < other.id ? -1 : 1))
    .slice(0, 100)
    .map(({ id }): string => id)
    .toSorted();
}

const periods = fc
  .record({
    from: fc.integer({ min: now - 3 * dayMs, max: now + dayMs }),
    length: fc.integer({ min: 1, max: 3 * dayMs }),
    buckets: fc.integer({ min: 1, max: 500 }),
  })
  .map(({ from, length, buckets }) => ({ from, until: from + length, buckets }));

test("the past has the runs that the list of runs has in the period, one by one or counted", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(plantedRuns(0, 20), plantedRuns(180, 190)),
      fc.array(periods, { minLength: 3, maxLength: 6 }),
      async (planted, all) => {
        await using app = await openTestApplication({ clock: new ManualClock(time(now)) });
        const task = await makeTask(app, {});
        await plant(app, task.id, planted);
        const runs = await everyRun(app, task.id);
        for (const period of [...all, { from: now - 3 * dayMs, until: now + dayMs, buckets: 100 }]) {
          const { rows } = await read(app, period);
          expect(rows).toHaveLength(1);
          const { past } = rows[0];
          if (past.kind === "runs") {
            expect(past.runs.map(({ id }: Json) => id).toSorted()).toEqual(expectedRuns(runs, period));
            continue;
          }
          const isIn = (run: Json, from: string, until: string): boolean =>
            run.ended_at !== null && run.ended_at >= from && run.ended_at < until;
          const ended = runs.filter((run) => isIn(run, time(period.from), time(period.until)));
          expect(ended.length).toBeGreaterThan(100);
          const buckets = past.buckets as Json[];
          expect(buckets.length).toBeLessThanOrEqual(period.buckets);
          expect(buckets.reduce((sum, { count }) => sum + count, 0)).toBe(ended.length);
          for (const { from, until, count, worst } of buckets) {
            const inside = ended.filter((run) => isIn(run, from, until));
            expect(count).toBe(inside.length);
            const ranks = inside.map(({ state }) => statesFromWorst.indexOf(state));
            expect(worst).toBe(statesFromWorst[Math.min(...ranks)]);
          }
          const endedIds = new Set(ended.map(({ id }) => id));
          const lasting = past.runs.filter(({ id }: Json) => endedIds.has(id));
          expect(lasting.map(({ id }: Json) => id).toSorted()).toEqual(expectedLasting(ended, buckets, period));
          expect(
            past.runs
              .map(({ id }: Json) => id)
              .filter((id: string) => !endedIds.has(id))
              .toSorted(),
          ).toEqual(expectedRuns(runs, period).filter((id) => !endedIds.has(id)));
        }
      },
    ),
    { numRuns: 12 },
  );
});

const timings = fc.oneof(
  fc
    .constantFrom("* * * * *", "*/7 * * * *", "0 3 * * *", "30 2 * * *", "0 0 1 * *", "15 */5 * * 1-5")
    .map((expression) => ({ kind: "cron", expression, time_zone: "Europe/Berlin" })),
  fc.integer({ min: 1, max: 3_000 }).map((minutes) => ({ kind: "interval", every: `${minutes}m` })),
  fc.integer({ min: 1, max: 4_000 }).map((minutes) => ({ kind: "once", at: time(now + minutes * 60_000) })),
);
const switches = fc.constantFrom("on", "on", "disabled", "paused", "paused until");

test("a task that runs nearly all the time has no gaps where its runs are counted", async () => {
  await using app = await openTestApplication({ clock: new ManualClock(time(now)) });
  const task = await makeTask(app, {});
  // 9 of every 10 minutes; a bucket has 7.2 minutes
  const planted = Array.from({ length: 140 }, (_, index) => ({
    state: "succeeded" as const,
    queued: -10 * (index + 1),
    length: 9,
  }));
  await plant(app, task.id, planted);
  const { rows } = await read(app, { from: now - dayMs, until: now, buckets: 200 });
  const { past } = rows[0];
  expect(past.kind).toBe("buckets");
  const isDrawn = (at: number): boolean =>
    [...past.buckets, ...past.runs.map((run: Json) => ({ from: run.started_at, until: run.ended_at }))].some(
      ({ from, until }) => Date.parse(from) <= at && at < Date.parse(until),
    );
  const middles = planted.map(({ queued, length }) => now + (queued + length / 2) * 60_000);
  expect(middles.filter((at) => !isDrawn(at))).toEqual([]);
  expect(past.buckets.length).toBeLessThan(150);
});

test("a run says how many missed times were merged into it, also where runs are counted", async () => {
  await using app = await openTestApplication({ clock: new ManualClock(time(now)) });
  const task = await makeTask(app, {});
  const merging: Planted = { state: "succeeded", queued: -30, length: 0, merged: 2 };
  const skipped: Planted = { state: "skipped", queued: -60, length: 0, merged: 5 };
  await plant(app, task.id, [merging, skipped, { state: "succeeded", queued: -90, length: 0 }]);
  const period = { from: now - dayMs, until: now };
  const readRuns = async (): Promise<Json> => (await read(app, period)).rows[0].past;
  const few = await readRuns();
  const timesOf = ({ runs }: Json): readonly string[] =>
    runs.map(({ coalesced, coalesced_from }: Json) => `${coalesced} from ${coalesced_from}`);
  const expected = [`5 from ${time(now - 65 * 60_000)}`, `2 from ${time(now - 32 * 60_000)}`];
  expect(few.kind).toBe("runs");
  expect(timesOf(few)).toEqual(["0 from null", ...expected]);
  const busy = await makeTask(app, {});
  const many = Array.from({ length: 200 }, (_, index): Planted => ({
    state: "succeeded",
    queued: -index - 1,
    length: 0,
  }));
  await plant(app, busy.id, [...many, merging, skipped]);
  const { past } = (await read(app, period, `&task_ids=${busy.id}`)).rows[0];
  expect(past.kind).toBe("buckets");
  expect(timesOf(past)).toEqual(expected.toReversed());
});

test("the future has the times that the previews of the schedules have in the period, one by one or counted", async () => {
  const resumes = now + 20 * hourMs;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ timing: timings, state: switches }), { maxLength: 4 }),
      fc.array(periods, { minLength: 2, maxLength: 4 }),
      async (schedules, all) => {
        await using app = await openTestApplication({ clock: new ManualClock(time(now)) });
        const task = await makeTask(app, {});
        const made: { readonly id: string; readonly first: number }[] = [];
        for (const [index, { timing, state }] of schedules.entries()) {
          const { id } = await makeSchedule(app, { task_id: task.id, name: `s${index}`, ...timing });
          if (state === "disabled") await app.call("POST", `/v1/schedules/${id}/disable`);
          if (state === "paused") await app.call("POST", `/v1/schedules/${id}/pause`, { until: null });
          if (state === "paused until") await app.call("POST", `/v1/schedules/${id}/pause`, { until: time(resumes) });
          if (state === "on") made.push({ id, first: 0 });
          if (state === "paused until") made.push({ id, first: resumes });
        }
        for (const period of all) {
          const expected: string[] = [];
          for (const { id, first } of made) {
            for (let from = Math.max(period.from - 1, now, first - 1), isAll = false; !isAll;) {
              const body = { schedule_id: id, from: time(from), count: 1_000 };
              const { json } = await app.call("POST", "/v1/schedules/preview", body);
              const times = json.occurrences.map(({ instant }: Json) => instant as string);
              expected.push(
                ...times.filter((at: string) => at < time(period.until)).map((at: string) => `${at} ${id}`),
              );
              isAll = times.length < 1_000 || times.at(-1) >= time(period.until);
              if (!isAll) from = Date.parse(times.at(-1));
            }
          }
          const { future } = (await read(app, period)).rows[0];
          if (future.kind === "times") {
            const shown = future.times.map(({ at, schedule_id }: Json) => `${at} ${schedule_id}`);
            expect(shown.toSorted()).toEqual(expected.toSorted());
            continue;
          }
          expect(expected.length).toBeGreaterThan(100);
          const buckets = future.buckets as Json[];
          expect(buckets.reduce((sum, { count }) => sum + count, 0)).toBe(expected.length);
          for (const { from, until, count } of buckets)
            expect(count).toBe(expected.filter((line) => line >= from && line < until).length);
        }
      },
    ),
    { numRuns: 12 },
  );
});

test("rows come by the path of their group and then by name, and pages have each of them once", async () => {
  await using app = await openTestApplication({ clock: new ManualClock(time(now)) });
  const web = await makeGroup(app, { name: "web" });
  const api = await makeGroup(app, { name: "api", parent_id: web.id });
  const also = await makeGroup(app, { name: "web two" });
  const places = [
    ["late", also.id],
    ["b", api.id],
    ["A", api.id],
    ["z", web.id],
    ["loose", null],
  ] as const;
  for (const [name, group_id] of places) await makeTask(app, { name, group_id, labels: { team: name } });
  const period = { from: now - hourMs, until: now + hourMs };
  const lines = (rows: readonly Json[]) => rows.map(({ group_path, name }) => [group_path, name]);
  const expected = [
    [null, "loose"],
    ["web", "z"],
    ["web / api", "A"],
    ["web / api", "b"],
    ["web two", "late"],
  ];
  expect(lines((await read(app, period)).rows)).toEqual(expected);
  for (const limit of [1, 2, 3, 4]) {
    const found: Json[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page = await read(app, period, `&limit=${limit}${cursor === "" ? "" : `&cursor=${cursor}`}`);
      found.push(...page.rows);
      cursor = page.next_cursor;
    }
    expect(lines(found)).toEqual(expected);
  }
  const names = async (more: string) => (await read(app, period, more)).rows.map(({ name }: Json) => name);
  expect(await names(`&group_id=${web.id}`)).toEqual(["z", "A", "b"]);
  expect(await names("&q=LOO")).toEqual(["loose"]);
  expect(await names("&label=team:late")).toEqual(["late"]);
  const { rows } = await read(app, period);
  expect(await names(`&task_ids=${rows[4].task_id},${rows[1].task_id}`)).toEqual(["z", "late"]);
});

test("a page continues where its cursor was, though the task of the cursor was moved or deleted since", async () => {
  await using app = await openTestApplication({ clock: new ManualClock(time(now)) });
  const group = await makeGroup(app, { name: "one" });
  const other = await makeGroup(app, { name: "another" });
  for (const name of ["a", "b", "c"]) await makeTask(app, { name, group_id: group.id });
  const period = { from: now - hourMs, until: now + hourMs };
  const more = `&group_id=${group.id}&limit=2`;
  const first = await read(app, period, more);
  expect(first.rows.map(({ name }: Json) => name)).toEqual(["a", "b"]);
  const rest = async () =>
    (await read(app, period, `${more}&cursor=${first.next_cursor}`)).rows.map(({ name }: Json) => name);
  await app.call("PATCH", `/v1/tasks/${first.rows[1].task_id}`, { group_id: other.id });
  expect(await rest()).toEqual(["c"]);
  await app.call("DELETE", `/v1/tasks/${first.rows[1].task_id}`);
  expect(await rest()).toEqual(["c"]);
});

test("only tasks in a state are shown", async () => {
  await using app = await openTestApplication({ clock: new ManualClock(time(now)) });
  const [good, bad, busy, off] = [
    await makeTask(app, { name: "good" }),
    await makeTask(app, { name: "bad" }),
    await makeTask(app, { name: "busy" }),
    await makeTask(app, { name: "off", enabled: false }),
  ];
  await plant(app, good.id, [{ state: "succeeded", queued: -10, length: 1 }]);
  await plant(app, bad.id, [{ state: "failed", queued: -10, length: 1 }]);
  await plant(app, busy.id, [{ state: "running", queued: -10, length: 1 }]);
  const names = async (state: string) =>
    (await read(app, { from: now - hourMs, until: now + hourMs }, `&state=${state}`)).rows.map(
      ({ name }: Json) => name,
    );
  expect(await names("failed")).toEqual(["bad"]);
  expect(await names("active")).toEqual(["busy"]);
  expect(await names("disabled")).toEqual([off.name]);
});

test("a schedule that cannot be planned is named in its row, and the others are shown", async () => {
  await using app = await openTestApplication({ clock: new ManualClock(time(now)) });
  const task = await makeTask(app, {});
  const good = await makeSchedule(app, { task_id: task.id, name: "good", kind: "cron", expression: "0 * * * *" });
  const bad = await makeSchedule(app, { task_id: task.id, name: "bad", kind: "cron", expression: "0 * * * *" });
  app.sqlite.prepare("UPDATE schedules SET time_zone = 'Mars/Base' WHERE id = ?").run(bad.id);
  const { rows } = await read(app, { from: now, until: now + 2 * hourMs });
  expect(rows[0].future.times.map(({ schedule_id }: Json) => schedule_id)).toEqual([good.id]);
  expect(rows[0].unplanned).toEqual([{ schedule_id: bad.id, reason: expect.stringContaining("Mars/Base") }]);
});

test("a task that cannot start has no future, and a held one has", async () => {
  await using app = await openTestApplication({ clock: new ManualClock(time(now)) });
  const task = await makeTask(app, {});
  await makeSchedule(app, { task_id: task.id, kind: "cron", expression: "0 * * * *" });
  const coming = async () => (await read(app, { from: now, until: now + 2.5 * hourMs })).rows[0].future.times.length;
  await app.call("POST", "/v1/hold", {});
  expect(await coming()).toBe(2);
  await app.call("POST", `/v1/tasks/${task.id}/disable`);
  expect(await coming()).toBe(0);
});

test("a period that is empty, reversed or too long is refused", async () => {
  await using app = await openTestApplication({ clock: new ManualClock(time(now)) });
  const refusal = async (from: number, until: number, more = "") => {
    const { status, json } = await app.call("GET", `/v1/timeline?from=${time(from)}&until=${time(until)}${more}`);
    return [status, json.error.field];
  };
  expect(await refusal(now, now)).toEqual([400, "until"]);
  expect(await refusal(now, now - 1)).toEqual([400, "until"]);
  expect(await refusal(now, now + 31 * dayMs + 1)).toEqual([400, "until"]);
  expect(await refusal(now, now + 1, `&task_ids=${Array.from({ length: 101 }, (_, n) => `tsk_${n}`).join()}`)).toEqual([
    400,
    "task_ids",
  ]);
});

test("every query of a row reads an index that has the task first, and counts read nothing else", async () => {
  const of = { taskId: "t", from: 1, until: 2 };
  const plans = await plansOf(createTimelineStore, (store) => {
    store.listEnds(of);
    store.countPlaces({ ...of, width: 1 });
    store.listUnfinished("t", 1, 1);
    store.listLastQueued("t", 1, 1);
    store.listMerged({ ...of, max: 1 });
  });
  expect(plans).toHaveLength(6);
  for (const plan of plans) expect(plan).toMatch(/SEARCH runs USING (COVERING )?INDEX \w+ \(task_id=\?/);
  expect(plans.filter((plan) => plan.includes("COVERING INDEX runs_by_end"))).toHaveLength(1);
  const listed = await plansOf(createTimelineStore, (store) => store.listTasksOf("g", {}, { after: "a", limit: 1 }));
  expect(listed).toEqual([expect.stringMatching(/tasks_one_name_a_group \(<expr>=\? AND name_key>\?\)$/)]);
});
