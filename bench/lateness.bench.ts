import { tempDir } from "@belfry/test-kit";
import BetterSqlite from "better-sqlite3";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { startDaemon } from "./daemon.ts";
import { makeManyRows } from "./many-rows.ts";
import { buildProgram, readStarts } from "./program.ts";
import type { Result } from "./result.ts";
import { percentile, spreadOf } from "./stats.ts";

const perSecond = 100;
const seconds = 12;
const rounds = 3;
/** Stored beside those that are due, and themselves due in months. */
const stored = { tasks: 100_000, runs: 100_000 };
const ratioMax = 1.5;
const latenessMaxMs = 15;
/** With a slower baseline, the machine was busy. */
const quietMs = 8;

interface Side {
  readonly dir: string;
  readonly binary: string;
  /** The file to which the program appends its start times. */
  readonly started: string;
  /** The first scheduled time, in milliseconds. */
  readonly from: number;
}

/**
 * Runs a hundred schedules per second, spread evenly, and measures by the clock of each started program how late it is.
 * The baseline is a bare loop that commits a row and starts the program at each scheduled time: it shows the cost of
 * timers, disk and machine in that minute.
 */
export async function benchLateness(): Promise<readonly Result[]> {
  const ours: (readonly number[])[] = [];
  const bare: (readonly number[])[] = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(await measure(startSchedules, (dir) => makeManyRows(join(dir, "data"), stored)));
    bare.push(await measure(startLoop));
  }
  const [p99, bareP99] = [ours, bare].map((side) => percentile(inOrder(side), 99)) as [number, number];
  const ratio = p99 / bareP99;
  return [
    {
      name: `100 due a second, with ${stored.tasks} schedules stored: from the instant to the started program's own clock`,
      baseline: "a bare loop with one FULL commit each",
      ours: latenessOf(ours),
      bare: latenessOf(bare),
      figure: `p99 ${ratio.toFixed(2)} times, ${p99.toFixed(1)} ms`,
      goal: `≤ ${ratioMax}, and ≤ ${latenessMaxMs} ms where the baseline's is ≤ ${quietMs}`,
      holds: ratio <= ratioMax && (bareP99 > quietMs || p99 <= latenessMaxMs),
    },
  ];
}

function inOrder(measured: readonly (readonly number[])[]): readonly number[] {
  return measured.flat().sort((a, b) => a - b);
}

/** The percentiles over all rounds, with the best and the worst round in brackets. */
function latenessOf(measured: readonly (readonly number[])[]): string {
  const all = inOrder(measured);
  const texts = [50, 99].map((percent) => {
    const { min, max } = spreadOf(measured.map((round) => percentile(inOrder([round]), percent)));
    return `p${percent} ${percentile(all, percent).toFixed(1)} (${min.toFixed(1)}–${max.toFixed(1)}) ms`;
  });
  return `${texts.join(", ")}, max ${all.at(-1)!.toFixed(1)} ms`;
}

async function measure(
  start: (side: Side) => Promise<AsyncDisposable>,
  prepare: (dir: string) => Promise<void> = async () => {},
): Promise<readonly number[]> {
  await using dir = await tempDir();
  await prepare(dir.path);
  const { binary, started } = buildProgram(dir.path);
  const from = Math.ceil(Date.now() / 1_000 + 5) * 1_000;
  const until = from + seconds * 1_000;
  await using _side = await start({ dir: dir.path, binary, started, from });
  while (Date.now() < until + 500) await new Promise((resolve) => setTimeout(resolve, 100));
  const lateness = readStarts(started)
    // the first two seconds only warm up the compiled code
    .filter(({ due }) => due >= from + 2_000 && due < until)
    .map(({ lateMs }) => lateMs);
  const expected = perSecond * (seconds - 2);
  if (lateness.length !== expected) throw new Error(`${lateness.length} of ${expected} instants ran`);
  return lateness;
}

async function startSchedules({ dir, binary, started, from }: Side): Promise<AsyncDisposable> {
  const daemon = await startDaemon(join(dir, "data"));
  for (let number = 0; number < perSecond; number++) {
    const startsAt = new Date(from + number * (1_000 / perSecond)).toISOString();
    const command = { kind: "exec", program: binary, arguments: [started] };
    const { id } = await daemon.call("POST", "/v1/tasks", { name: `due ${number}`, command });
    await daemon.call("POST", "/v1/schedules", { task_id: id, kind: "interval", every: "1s", starts_at: startsAt });
  }
  if (Date.now() >= from) throw new Error("the first instant came before all was set up");
  return daemon;
}

async function startLoop({ dir, binary, started, from }: Side): Promise<AsyncDisposable> {
  const sqlite = new BetterSqlite(join(dir, "bare.db"));
  sqlite.pragma("journal_mode = WAL");
  sqlite.exec("CREATE TABLE runs (due INTEGER) STRICT");
  sqlite.pragma("synchronous = FULL");
  const insert = sqlite.prepare("INSERT INTO runs VALUES (?)");
  let number = 0;
  let timer: NodeJS.Timeout;
  const arm = (): void =>
    void (timer = setTimeout(fall, Math.max(0, from + number * (1_000 / perSecond) - Date.now())));
  const fall = (): void => {
    const due = from + number * (1_000 / perSecond);
    if (Date.now() < due) return arm();
    number++;
    insert.run(due);
    spawn(binary, [started], { stdio: "ignore", env: { BELFRY_SCHEDULED_FOR: new Date(due).toISOString() } });
    arm();
  };
  arm();
  return {
    [Symbol.asyncDispose]: async () => {
      clearTimeout(timer);
      sqlite.close();
    },
  };
}
