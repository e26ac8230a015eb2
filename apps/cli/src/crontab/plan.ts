import type { BodyOf, OperationById } from "@belfry/contract";
import type { CrontabLine, EnvironmentLine, JobLine } from "./lines.ts";
import { nameFromCommand, nameFromComment, uniqueNames } from "./names.ts";
import { splitPercent } from "./percent.ts";
import { applySetting, initialSettings, type Settings } from "./settings.ts";

type ImportBody = BodyOf<OperationById<"import.create">>;
type ImportTask = NonNullable<ImportBody["tasks"]>[number];
type ImportSchedule = NonNullable<ImportBody["schedules"]>[number];

export interface PlanOptions {
  readonly groupName: string;
  /** The file, as the tasks' descriptions name it. */
  readonly source: string;
  /** What cron gives a job where the file says nothing else. */
  readonly cronEnvironment: Readonly<Record<string, string>>;
  /** Whose file it is, if that is known: jobs without a user of their own are this user's. */
  readonly owner: string | null;
  /** Whose jobs the daemon can run. */
  readonly daemonUser: string;
  /** Jobs of other users run as the daemon's user too. */
  readonly runAsMe: boolean;
  /** A time missed while the daemon was away gets one late run; cron gives none. */
  readonly catchUp: boolean;
  /** A job does not start beside its own former run; cron starts it. */
  readonly noOverlap: boolean;
}

/** What became of a line. `left_out` has no like here and does no harm; `refused` is a loss that someone must accept. */
export interface LineReport {
  readonly line: number;
  readonly kind: CrontabLine["kind"];
  readonly outcome: "taken" | "left_out" | "refused" | "none";
  readonly text: string;
  /** What to know about a line that was taken, as a sentence. */
  readonly warning: string | null;
}

export interface CrontabPlan {
  readonly body: ImportBody;
  /** Every line of the file, in order. */
  readonly report: readonly LineReport[];
  /** The line that each task, and its schedule, came from; by position in `body`. */
  readonly taskLines: readonly number[];
  /** The part of cron's own environment that the settings above the first job leave as it is. */
  readonly cronEnvironment: Readonly<Record<string, string>>;
}

interface PlannedJob {
  readonly line: JobLine;
  readonly settings: Settings;
}

/** A crontab as one import: a group with the settings above the first job, a task and a schedule for each job. Pure. */
export function planImport(lines: readonly CrontabLine[], options: PlanOptions): CrontabPlan {
  const { report, jobs, shared } = walk(lines, options);
  const names = uniqueNames(
    jobs.map(
      ({ line }) => nameFromComment(lines, line.number - 1) ?? nameFromCommand(splitPercent(line.command).script),
    ),
  );
  const named = new Map(jobs.map(({ line }, index) => [line.number, names[index]!]));
  const environment = { ...options.cronEnvironment, ...shared.environment };
  return {
    body: {
      groups: [{ key: "file", name: options.groupName, environment, time_zone: shared.timeZone }],
      tasks: jobs.map((job) => taskOf(job, named.get(job.line.number)!, { environment, options })),
      schedules: jobs.map((job) => scheduleOf(job, shared, options)),
    },
    report: report.map((row) =>
      named.has(row.line) ? { ...row, text: `task ${JSON.stringify(named.get(row.line))}${row.text}` } : row,
    ),
    taskLines: jobs.map(({ line }) => line.number),
    cronEnvironment: Object.fromEntries(
      Object.entries(options.cronEnvironment).filter(([name]) => !Object.hasOwn(shared.environment, name)),
    ),
  };
}

interface Walk {
  readonly report: readonly LineReport[];
  readonly jobs: readonly PlannedJob[];
  /** The settings above the first job: the group's. */
  readonly shared: Settings;
}

function walk(lines: readonly CrontabLine[], options: PlanOptions): Walk {
  const report: LineReport[] = [];
  const jobs: PlannedJob[] = [];
  let settings = initialSettings;
  let shared: Settings | null = null;
  for (const line of lines) {
    if (line.kind === "environment") {
      const applied = applySetting(settings, line);
      settings = applied.settings;
      const place = applied.outcome === "taken" ? placeOf(line, shared === null) : "";
      const text = `${place}${applied.text}`;
      report.push({ line: line.number, kind: line.kind, outcome: applied.outcome, text, warning: null });
      continue;
    }
    if (line.kind === "job") shared ??= settings;
    const judged = judgeLine(line, options);
    report.push({ line: line.number, kind: line.kind, ...judged });
    if (line.kind === "job" && judged.outcome === "taken") jobs.push({ line, settings });
  }
  return { report, jobs, shared: shared ?? settings };
}

function placeOf(line: EnvironmentLine, isShared: boolean): string {
  if (isShared) return "group: ";
  return line.name === "CRON_TZ" || line.name === "RANDOM_DELAY" ? "later schedules: " : "later tasks: ";
}

function judgeLine(
  line: Exclude<CrontabLine, EnvironmentLine>,
  { daemonUser, runAsMe, owner }: PlanOptions,
): Pick<LineReport, "outcome" | "text" | "warning"> {
  if (line.kind === "blank" || line.kind === "comment") return { outcome: "none", text: line.kind, warning: null };
  if (line.kind === "invalid") return { outcome: "refused", text: line.reason, warning: null };
  const text = line.time.kind === "boot" ? ", at boot" : `, ${line.time.expression}`;
  const user = line.user ?? owner ?? daemonUser;
  if (user === daemonUser) return { outcome: "taken", text, warning: null };
  if (runAsMe)
    return { outcome: "taken", text, warning: `line ${line.number} will run as ${daemonUser}, not as ${user}` };
  const reason = `it runs as ${user}, and this daemon as ${daemonUser}. To run it as ${daemonUser}, use --run-as-me`;
  return { outcome: "refused", text: reason, warning: null };
}

interface Around {
  /** The group's. */
  readonly environment: Readonly<Record<string, string>>;
  readonly options: PlanOptions;
}

function taskOf({ line, settings }: PlannedJob, name: string, { environment, options }: Around): ImportTask {
  const { script, standardInput } = splitPercent(line.command);
  const own = Object.entries(settings.environment).filter(([key, value]) => environment[key] !== value);
  return {
    key: keyOf(line),
    group_key: "file",
    name,
    description: `Imported from ${options.source}, line ${line.number}`,
    command:
      settings.shell === "/bin/sh"
        ? { kind: "shell", script }
        : { kind: "exec", program: settings.shell, arguments: ["-c", script] },
    standard_input: standardInput,
    working_directory: settings.home,
    environment: Object.fromEntries(own),
    concurrency: options.noOverlap ? { limit: 1, on_conflict: "skip" } : { limit: overlapMax, on_conflict: "queue" },
  };
}

/** cron starts a job however many of its former runs go on; enough to be like it, and not without end. */
const overlapMax = 100;

function scheduleOf({ line, settings }: PlannedJob, shared: Settings, options: PlanOptions): ImportSchedule {
  const { jitter } = settings;
  const key = keyOf(line);
  if (line.time.kind === "boot") return { key, task_key: key, kind: "boot", jitter };
  const time_zone = settings.timeZone === shared.timeZone ? null : settings.timeZone;
  const misfire = { policy: options.catchUp ? "run_once" : "skip" } as const;
  return { key, task_key: key, kind: "cron", expression: line.time.expression, time_zone, jitter, misfire };
}

function keyOf(line: JobLine): string {
  return `line ${line.number}`;
}
