import { tempDir } from "@belfry/test-kit";
import BetterSqlite from "better-sqlite3";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Daemon, startDaemon } from "./daemon.ts";
import { latenciesWhile } from "./latencies.ts";
import { makeManyRows } from "./many-rows.ts";
import { ratioOf, type Result, show } from "./result.ts";
import { percentile, spreadOf } from "./stats.ts";

const tasks = 200;
const dayMs = 86_400_000;
const minutes = dayMs / 60_000;
const rounds = 20;
const goalMs = 100;
const holdMs = 150;
const what = `a timeline of ${tasks} tasks that run every minute, with ${tasks * minutes} runs in 24 h and the next 24 h`;

/** Compares a timeline of many runs to the same picture of few, and to a list of runs. */
export async function benchTimeline(): Promise<readonly Result[]> {
  await using dir = await tempDir();
  const dataDir = join(dir.path, "data");
  // a task is copied once, so there is one more
  await makeManyRows(dataDir, { tasks, runs: tasks * minutes });
  const end = spreadOverDay(dataDir);
  await using daemon = await startDaemon(dataDir);
  const read = async (from: number, until: number): Promise<number> => {
    const start = performance.now();
    const { rows } = await daemon.call("GET", pathOf(from, until));
    const took = performance.now() - start;
    if (rows.length !== tasks) throw new Error(`the timeline has ${rows.length} rows`);
    return took;
  };
  const [full, brief]: [number[], number[]] = [[], []];
  await read(end - dayMs, end + dayMs);
  for (let round = 0; round < rounds; round++) {
    full.push(await read(end - dayMs, end + dayMs));
    brief.push(await read(end - 3_600_000, end + 3_600_000));
  }
  const { median } = spreadOf(full);
  return [
    {
      name: what,
      baseline: "the same of 1 h and the next hour",
      ours: `${show(spreadOf(full))} ms`,
      bare: `${show(spreadOf(brief))} ms`,
      figure: `${median.toFixed(0)} ms`,
      goal: `≤ ${goalMs} ms`,
      holds: median <= goalMs,
    },
    ratioOf({
      name: "the same, though it shows 24 times as many runs and times",
      baseline: "the same of 1 h and the next hour",
      unit: "ms",
      atMost: 3,
      ours: full,
      bare: brief,
    }),
    await measureOthers(daemon, end),
  ];
}

/** Measures how long other calls wait while the timeline is read every second, as the screens do at most. */
async function measureOthers(daemon: Daemon, end: number): Promise<Result> {
  const beside = await latenciesWhile(daemon.socket, async () => {
    for (let round = 0; round < 8; round++) {
      await daemon.call("GET", pathOf(end - dayMs, end + dayMs));
      await setTimeout(1_000);
    }
  });
  const longest = percentile(beside, 100);
  return {
    name: "a read of the API while this timeline is read once a second",
    baseline: "–",
    ours: `p50 ${percentile(beside, 50).toFixed(1)} ms, p99 ${percentile(beside, 99).toFixed(1)} ms`,
    bare: "–",
    figure: `longest ${longest.toFixed(0)} ms`,
    goal: `≤ ${holdMs} ms`,
    holds: longest <= holdMs,
  };
}

function pathOf(from: number, until: number): string {
  const [start, end] = [new Date(from).toISOString(), new Date(until).toISOString()];
  return `/v1/timeline?from=${start}&until=${end}&limit=${tasks}&q=${encodeURIComponent("task ")}`;
}

/** Gives each task one run a minute, of which one in 53 has failed, and a schedule of every minute. */
function spreadOverDay(dataDir: string): number {
  using closing = new DisposableStack();
  const sqlite = closing.adopt(new BetterSqlite(join(dataDir, "belfry.db")), (opened) => opened.close());
  sqlite.pragma("synchronous = OFF");
  const end = Date.now();
  // the numbers at the end of the ids count the rows
  sqlite
    .prepare(
      `WITH numbered(id, n) AS (SELECT id, cast(substr(id, 5) AS integer) FROM runs WHERE id GLOB 'run_00*')
       UPDATE runs SET
         queued_at = $end - (n / ${tasks}) * 60000 - n % 1000 - 2000,
         scheduled_for = $end - (n / ${tasks}) * 60000 - n % 1000 - 2000,
         started_at = $end - (n / ${tasks}) * 60000 - n % 1000 - 2000,
         ended_at = $end - (n / ${tasks}) * 60000 - n % 1000,
         state = CASE WHEN n % 53 = 0 THEN 'failed' ELSE 'succeeded' END,
         outcome = CASE WHEN n % 53 = 0 THEN 'failure' ELSE 'success' END
       FROM numbered WHERE numbered.id = runs.id`,
    )
    .run({ end });
  sqlite
    .prepare(
      "UPDATE schedules SET expression = '* * * * *', next_at = $next, due_at = $next, cursor_at = $end, starts_at = $starts",
    )
    // nothing is due while this measures, and the picture shows it from then on
    .run({ end, next: Math.ceil(end / 60_000 + 10) * 60_000, starts: Math.ceil(end / 60_000 + 10) * 60_000 });
  return end;
}
