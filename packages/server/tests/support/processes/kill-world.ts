import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DaemonProcess } from "./daemon-process.ts";

/** One task with a schedule for every second: its script, and the expected results. */
export interface Plan {
  readonly name: string;
  readonly policy: "run_once" | "run_all" | "skip";
  /** The script's work between `say begin` and `say end`. */
  readonly work: string;
  readonly task?: object;
}

export const everyMs = 1_000;

/** Sleeps 0 to 3 s, depending on the second of the scheduled time. */
const sleepAWhile = "s=${BELFRY_SCHEDULED_FOR#*:*:}; s=${s%%.*}; sleep $(( ${s#0} % 4 ))";

export const plans: readonly Plan[] = [
  { name: "once", policy: "run_once", work: ":" },
  { name: "all", policy: "run_all", work: "i=0; while [ $i -lt 60 ]; do say line $i; i=$((i+1)); done" },
  { name: "none", policy: "skip", work: "sleep 0.1" },
  { name: "long", policy: "run_all", work: sleepAWhile, task: { concurrency: { limit: 5 } } },
  {
    name: "loud",
    policy: "run_once",
    work: "head -c 200000 /dev/zero | tr '\\0' x | tee -a $written",
    task: { concurrency: { limit: 2 } },
  },
  {
    name: "failing",
    policy: "run_all",
    work: 'test "$BELFRY_ATTEMPT" = 3 || exit 7',
    task: { concurrency: { limit: 8 }, retry: { max_attempts: 3, delay: "300ms", backoff: 1, jitter: 0.5 } },
  },
  {
    name: "slow",
    policy: "run_once",
    work: "sleep 30",
    task: { concurrency: { limit: 4 }, timeout: "900ms", kill_grace: "200ms" },
  },
  {
    name: "cancelled",
    policy: "skip",
    work: "trap '' TERM; sleep 600",
    task: { concurrency: { limit: 3, on_conflict: "skip" }, kill_grace: "300ms" },
  },
];

/** The tasks record their actions twice: in their output, and in a file, where no daemon can lose it. */
export function placesOf(folder: string) {
  return { ledger: join(folder, "ledger"), written: join(folder, "written") };
}

const head = `
written="$PLACE/written/$BELFRY_RUN_ID.$BELFRY_ATTEMPT"
echo "$NAME $BELFRY_RUN_ID $BELFRY_SCHEDULED_FOR $BELFRY_ATTEMPT" >> "$PLACE/ledger"
say() { echo "$@"; echo "$@" >> "$written"; }
say begin`;

/** Creates the tasks and their schedules; returns one scheduled time of each. */
export async function layOut(daemon: DaemonProcess, folder: string): Promise<readonly number[]> {
  const beats: number[] = [];
  await mkdir(placesOf(folder).written, { recursive: true });
  await writeFile(placesOf(folder).ledger, "");
  for (const { name, policy, work, task } of plans) {
    const made = await daemon.call("POST", "/v1/tasks", {
      name,
      command: { kind: "shell", script: `${head}\n${work}\nsay end` },
      environment: { NAME: name, PLACE: folder },
      retention: { runs: 1_000_000 },
      ...task,
    });
    const schedule = { task_id: made.json.id, kind: "interval", every: "1s", misfire: { policy, max_runs: 10_000 } };
    const { status, text, json } = await daemon.call("POST", "/v1/schedules", schedule);
    if (status !== 201) throw new Error(text);
    beats.push(Date.parse(json.next_run_at));
  }
  return beats;
}

export interface Begun {
  readonly name: string;
  readonly runId: string;
  readonly at: number;
  readonly attempt: number;
}

/** A line of the ledger for each process that has begun. */
export async function readLedger(folder: string): Promise<readonly Begun[]> {
  const text = await readFile(placesOf(folder).ledger, "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [name = "", runId = "", at = "", attempt = ""] = line.split(" ");
      return { name, runId, at: Date.parse(at), attempt: Number(attempt) };
    });
}
