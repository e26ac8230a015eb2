import { tempDir } from "@belfry/test-kit";
import { join } from "node:path";
import { startDaemon } from "./daemon.ts";
import { type Result, show } from "./result.ts";
import { spreadOf } from "./stats.ts";

const goalMs = 50;

/** Expressions that are expensive to evaluate: rare dates, dates that clock changes skip, and long fields. */
const expressions = [
  "* * * * * *",
  "59 59 23 31 12 *",
  "0 0 29 2 *",
  "0 0 29 2 */7",
  "0 0 * 2 mon#5",
  "30 2 * 3 0#2",
  `0 0 ${Array.from({ length: 30 }, (_, day) => `L-${day + 1}`).join()} 2 7#5`,
  `0 0 ${Array.from({ length: 31 }, (_, day) => `${day + 1}W`).join()} * *`,
];
const years = ["1970", "2026", "9000"];
/** Each round reads another zone for the first time. The first round only warms up. */
const zones = [
  "Europe/Berlin",
  "America/New_York",
  "Africa/Casablanca",
  "Australia/Lord_Howe",
  "Asia/Gaza",
  "Pacific/Apia",
  "Antarctica/Troll",
  "America/Nuuk",
];

/**
 * Compares the slowest of many previews, each with the maximum number of times, to the simplest preview of that length.
 */
export async function benchPreview(): Promise<readonly Result[]> {
  await using dir = await tempDir();
  await using daemon = await startDaemon(join(dir.path, "data"));
  const timeOf = async (draft: object, from: string): Promise<number> => {
    const start = performance.now();
    await daemon.call("POST", "/v1/schedules/preview", { draft, from, count: 1_000 });
    return performance.now() - start;
  };
  const slowest: number[] = [];
  const plain: number[] = [];
  for (const time_zone of zones) {
    const took: number[] = [];
    for (const year of years) {
      for (const expression of expressions)
        took.push(await timeOf({ kind: "cron", expression, time_zone, jitter: "1d" }, `${year}-01-01T00:00:00Z`));
      plain.push(await timeOf({ kind: "cron", expression: "0 3 * * *", time_zone: "UTC" }, `${year}-01-01T00:00:00Z`));
    }
    slowest.push(Math.max(...took));
  }
  const worst = spreadOf(slowest.slice(1));
  return [
    {
      name: "the slowest preview of 1,000 scheduled times",
      baseline: "`0 3 * * *` in UTC",
      ours: `${show(worst)} ms`,
      bare: `${show(spreadOf(plain.slice(years.length)))} ms`,
      figure: `${worst.median.toFixed(0)} ms`,
      goal: `≤ ${goalMs} ms`,
      holds: worst.median <= goalMs,
    },
  ];
}
