import { tempDir } from "@belfry/test-kit";
import BetterSqlite from "better-sqlite3";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { CDPSession, Page } from "playwright-core";
import { heapBytes, openBrowser, reload, scriptSeconds, timeVisit } from "./browser.ts";
import { type Daemon, startDaemon } from "./daemon.ts";
import { makeManyRows } from "./many-rows.ts";
import { type Result, show } from "./result.ts";
import { spreadOf } from "./stats.ts";

const counts = { tasks: 10_000, runs: 1_000_000 };
const dueEachMinute = 1_000;
/** The rows that the timeline shows first. */
const shown = 200;
const minutesOfDay = 1_440;
const visits = 5;
/** The runs of a minute have ended after about this time. */
const busyMs = 6_000;
/** The screens that read the most. */
const busiest = ["Now", "Agenda", "Tasks"];
const frames = 120;
const eventsPerSecond = 50;
/** Each figure of memory is the lowest of so many looks within so long a time. */
const looks = 10;
const lookMs = 3_000;
/** A list keeps no more rows on the page, however many it has. */
const rowsMax = 100;
/** `BELFRY_BENCH_MINUTES=10` for the figure of the goal. */
const minutes = Number(process.env["BELFRY_BENCH_MINUTES"] ?? 1);
const what = `${counts.tasks} tasks, of which ${dueEachMinute} are due each minute, and ${counts.runs} runs`;

/** Measures the screens in a browser, beside a daemon with many tasks and runs that is at work. */
export async function benchScreens(): Promise<readonly Result[]> {
  await using dir = await tempDir();
  const dataDir = join(dir.path, "data");
  await makeManyRows(dataDir, counts);
  fillToday(dataDir);
  await using daemon = await startDaemon(dataDir, "[engine]\nmax_concurrent_runs = 50\n");
  await using browser = await openBrowser(dir.path, daemon.socket);
  const { page, devtools } = browser;
  return [
    ...(await measureVisits(page, daemon)),
    await measureBusyVisits(page, daemon),
    await measureDrawing(page),
    await measurePanning(page, devtools),
    await measureMemory(page, { devtools, daemon }),
  ];
}

type Screen = readonly [path: string, heading: string];

async function listScreens(daemon: Daemon): Promise<readonly Screen[]> {
  const { tasks } = await daemon.call("GET", "/v1/tasks?limit=1");
  const { runs } = await daemon.call("GET", "/v1/runs?limit=1");
  const [task] = tasks as { id: string; name: string }[];
  const [run] = runs as { id: string; task_name: string }[];
  return [
    ["/", "Now"],
    ["/tasks", "Tasks"],
    [`/tasks/${task!.id}`, task!.name],
    [`/runs/${run!.id}`, run!.task_name],
    ["/agenda", "Agenda"],
    ["/triggers", "Triggers"],
    ["/watchers", "Watchers"],
    ["/channels", "Channels"],
    ["/deliveries", "Deliveries"],
    ["/access", "Access"],
    ["/audit", "Audit"],
  ];
}

async function measureVisits(page: Page, daemon: Daemon): Promise<readonly Result[]> {
  const screens = await listScreens(daemon);
  const took: { readonly path: string; readonly ms: readonly number[] }[] = [];
  for (const [path, heading] of screens) {
    const ms: number[] = [];
    for (let visit = 0; visit < visits; visit++) {
      await reload(page);
      ms.push(await timeVisit(page, path, heading));
    }
    const rows: unknown = await page.evaluate("document.querySelectorAll('main [data-row]').length");
    if (Number(rows) > rowsMax) throw new Error(`${path} has ${String(rows)} rows at once`);
    took.push({ path: path.replace(/\/(?:tsk|run)_.*/, "/…"), ms });
  }
  const slowest = took.toSorted((a, b) => spreadOf(b.ms).median - spreadOf(a.ms).median)[0]!;
  const { median } = spreadOf(slowest.ms);
  return [
    {
      name: `the slowest of ${screens.length} screens until it is interactive, with ${what}`,
      baseline: "–",
      ours: `${slowest.path}: ${show(spreadOf(slowest.ms))} ms; all: ${took.map(({ path, ms }) => `${path} ${spreadOf(ms).median.toFixed(0)}`).join(", ")}`,
      bare: "–",
      figure: `${median.toFixed(0)} ms`,
      goal: "≤ 1000 ms",
      holds: median <= 1_000,
    },
  ];
}

/** Visits one screen after another while the tasks of a minute start and end, in several minutes and beginning with another screen. */
async function measureBusyVisits(page: Page, daemon: Daemon): Promise<Result> {
  const screens = await listScreens(daemon);
  const took: { readonly path: string; readonly ms: number }[] = [];
  for (const first of busiest) {
    const start = screens.findIndex(([, heading]) => heading === first);
    await reload(page);
    await setTimeout(60_000 - (Date.now() % 60_000));
    const until = Date.now() + busyMs;
    for (let visit = 0; Date.now() < until; visit++) {
      const [path, heading] = screens[(start + visit) % screens.length]!;
      took.push({ path: path.replace(/\/(?:tsk|run)_.*/, "/…"), ms: await timeVisit(page, path, heading) });
      await reload(page);
    }
  }
  const slowest = took.toSorted((a, b) => b.ms - a.ms)[0]!;
  return {
    name: `the slowest visit within ${busyMs / 1_000} s after the ${dueEachMinute} tasks became due`,
    baseline: "–",
    ours: `${slowest.path}; all ${took.length}: ${show(spreadOf(took.map(({ ms }) => ms)))} ms`,
    bare: "–",
    figure: `${slowest.ms.toFixed(0)} ms`,
    goal: "≤ 1000 ms",
    holds: slowest.ms <= 1_000,
  };
}

/** From the end of the daemon's answer until the rows are painted. */
async function measureDrawing(page: Page): Promise<Result> {
  const ms: number[] = [];
  for (let visit = 0; visit < visits; visit++) {
    await reload(page);
    const took: unknown = await page.evaluate(`(async () => {
      performance.clearResourceTimings();
      location.hash = "/";
      const start = performance.now();
      const answered = () => performance.getEntriesByType("resource").find(({ name }) => name.includes("/v1/timeline") && name.includes("limit=${shown}"))?.responseEnd || null;
      const drawn = () => document.querySelectorAll("[data-canvas] svg path").length > 20 && document.querySelector("[data-rows='${shown}']") !== null;
      while (answered() === null || !drawn()) {
        if (performance.now() - start > 60_000) return null;
        await new Promise((done) => requestAnimationFrame(done));
      }
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      return performance.now() - answered();
    })()`);
    if (typeof took !== "number") throw new Error("the timeline is not drawn");
    ms.push(took);
  }
  const { median } = spreadOf(ms);
  return {
    name: "the timeline of 24 h with 200 rows, from the daemon's answer until it is painted",
    baseline: "–",
    ours: `${show(spreadOf(ms))} ms`,
    bare: "–",
    figure: `${median.toFixed(0)} ms`,
    goal: "≤ 100 ms",
    holds: median <= 100,
  };
}

async function measurePanning(page: Page, devtools: CDPSession): Promise<Result> {
  await timeVisit(page, "/", "Now");
  const plot = page.locator("[data-canvas]").first();
  await plot.scrollIntoViewIfNeeded();
  const box = (await plot.boundingBox())!;
  const y = Math.min(box.y + 40, 860);
  const perFrame: number[] = [];
  for (let round = 0; round < visits; round++) {
    await page.mouse.move(box.x + box.width / 2, y);
    await page.mouse.down();
    const before = await scriptSeconds(devtools);
    for (let frame = 1; frame <= frames; frame++) {
      await page.mouse.move(box.x + box.width / 2 + frame * 2, y);
      await page.evaluate("new Promise((done) => requestAnimationFrame(done))");
    }
    perFrame.push(((await scriptSeconds(devtools)) - before) * (1_000 / frames));
    await page.mouse.up();
    await setTimeout(1_000);
  }
  const { median } = spreadOf(perFrame);
  return {
    name: "script in each frame while the timeline is dragged",
    baseline: "–",
    ours: `${show(spreadOf(perFrame))} ms`,
    bare: "–",
    figure: `${median.toFixed(1)} ms`,
    goal: "≤ 8 ms",
    holds: median <= 8,
  };
}

/** The lowest of some looks: between them an answer of 2 MB that is just being read may or may not be counted. */
async function lowestHeapBytes(devtools: CDPSession): Promise<number> {
  let lowest = Infinity;
  for (let look = 0; look < looks; look++) {
    lowest = Math.min(lowest, await heapBytes(devtools));
    await setTimeout(lookMs / looks);
  }
  return lowest;
}

interface AtWork {
  readonly devtools: CDPSession;
  readonly daemon: Daemon;
}

/**
 * The memory of a page that stays open while tasks change: the lowest of the second half of the time beside that of the first.
 * What is collected late makes single looks higher, and a leak makes every later one higher.
 */
async function measureMemory(page: Page, { devtools, daemon }: AtWork): Promise<Result> {
  const { tasks } = await daemon.call("GET", "/v1/tasks?limit=100");
  const ids = (tasks as { id: string }[]).map(({ id }) => id);
  await reload(page);
  await timeVisit(page, "/", "Now");
  const start = performance.now();
  const until = start + minutes * 60_000;
  let sent = 0;
  const change = async (): Promise<void> => {
    for (; performance.now() < until; sent++) {
      const id = ids[Math.floor(sent / 2) % ids.length]!;
      await daemon.call("POST", `/v1/tasks/${id}/${sent % 2 === 0 ? "disable" : "enable"}`);
      await setTimeout(Math.max(0, start + (sent * 1_000) / eventsPerSecond - performance.now()));
    }
  };
  const look = async (): Promise<readonly number[]> => {
    const bytes: number[] = [];
    for (let part = 1; part <= 10; part++) {
      await setTimeout(Math.max(0, start + (minutes * 60_000 * part) / 10 - lookMs - performance.now()));
      bytes.push(await lowestHeapBytes(devtools));
    }
    return bytes;
  };
  const [bytes] = await Promise.all([look(), change()]);
  const rate = sent / ((performance.now() - start) / 1_000);
  const [first, second] = [Math.min(...bytes.slice(0, 5)), Math.min(...bytes.slice(5))];
  const ratio = second / first;
  return {
    name: `memory of the page while ${eventsPerSecond} changes a second happen, the lowest of the second half of the time`,
    baseline: "the lowest of the first half",
    ours: `${(second / 1e6).toFixed(1)} MB in ${minutes} min with ${rate.toFixed(0)} changes a second (${bytes.map((each) => (each / 1e6).toFixed(1)).join(", ")})`,
    bare: `${(first / 1e6).toFixed(1)} MB`,
    figure: ratio.toFixed(2),
    goal: "≤ 1.05",
    holds: ratio <= 1.05 && rate >= eventsPerSecond * 0.9,
  };
}

/** Lets some tasks be due each minute, and gives the tasks that the timeline shows first a run a minute of the last day. */
function fillToday(dataDir: string): void {
  using closing = new DisposableStack();
  const sqlite = closing.adopt(new BetterSqlite(join(dataDir, "belfry.db")), (opened) => opened.close());
  sqlite.pragma("synchronous = OFF");
  const now = Date.now();
  // the newest runs, in the order in which they are stored
  sqlite
    .prepare(
      `WITH today(id, age) AS (
         SELECT id, ${counts.runs} - cast(substr(id, 5) AS integer) FROM runs
         WHERE id GLOB 'run_00*' AND cast(substr(id, 5) AS integer) > ${counts.runs - shown * minutesOfDay}
       )
       UPDATE runs SET
         task_id = 'tsk_' || printf('%020d', 1 + age % ${shown}),
         scheduled_for = $now - 2000 - (age / ${shown}) * 60000,
         queued_at = $now - 2000 - (age / ${shown}) * 60000,
         started_at = $now - 2000 - (age / ${shown}) * 60000,
         ended_at = $now - 1000 - (age / ${shown}) * 60000
       FROM today WHERE today.id = runs.id`,
    )
    .run({ now });
  // as many as are kept, so that each end of a run deletes the oldest
  sqlite
    .prepare(
      `UPDATE tasks SET name = 'a ' || name, name_key = 'a ' || name_key,
         retention_runs = (SELECT count(*) FROM runs WHERE task_id = tasks.id)
       WHERE id GLOB 'tsk_00*' AND cast(substr(id, 5) AS integer) <= ${shown}`,
    )
    .run();
  sqlite
    .prepare(
      `UPDATE schedules SET expression = '* * * * *', next_at = $next, due_at = $next, cursor_at = $now
       WHERE id GLOB 'sch_00*' AND cast(substr(id, 5) AS integer) <= ${dueEachMinute}`,
    )
    .run({ now, next: Math.ceil(now / 60_000 + 2) * 60_000 });
}
