import type { BodyOf, OperationById } from "@belfry/contract";
import { nameFromCommand } from "./command-name.ts";
import { warnOfJob } from "./job-warnings.ts";
import type { CrontabLine, EnvironmentLine, JobLine, JobTime } from "./lines.ts";
import { nameFromComment, uniqueNames } from "./names.ts";
import { splitPercent } from "./percent.ts";
import { applySetting, initialSettings, type Settings } from "./settings.ts";

/** The body of an import. */
export type ImportBody = BodyOf<OperationById<"import.create">>;
type ImportTask = NonNullable<ImportBody["tasks"]>[number];
type ImportSchedule = NonNullable<ImportBody["schedules"]>[number];

/** The user that the daemon runs as. */
export interface DaemonUser {
  /** The user id if it has no name. */
  readonly name: string;
  readonly isRoot: boolean;
}

/** What to import a crontab as, and what is known of the machine. */
export interface PlanOptions {
  readonly groupName: string;
  /** The id of the group that is to contain the new group, and from which it inherits; null for none. */
  readonly parentId: string | null;
  /** Name of the file, for the descriptions of the tasks. */
  readonly source: string;
  /** cron's default environment, which settings of the file override. */
  readonly cronEnvironment: Readonly<Record<string, string>>;
  /** Owner of the file, if it is known. Jobs without a user belong to the owner. */
  readonly owner: string | null;
  readonly daemonUser: DaemonUser;
  /** Users of jobs that this machine does not have. */
  readonly unknownUsers: ReadonlySet<string>;
  /** Whether to import jobs of other users, and run them as the daemon's user. */
  readonly runAsMe: boolean;
  /** The first word of commands that start with a user of this machine, by their line. */
  readonly userWords: ReadonlyMap<number, string>;
  /** Whether missed times get one late run; in cron they do not. */
  readonly catchUp: boolean;
  /** Whether to skip a run while the previous one is active; cron starts it. */
  readonly noOverlap: boolean;
}

/** The result for a line. `left_out` can safely be ignored; `refused` is a loss that the user has to accept. */
export interface LineReport {
  readonly line: number;
  readonly kind: CrontabLine["kind"];
  readonly outcome: "taken" | "left_out" | "refused" | "none";
  readonly text: string;
  /** A warning about a line that is imported. */
  readonly warning: string | null;
}

/** A planned import, and the result for each line. */
export interface CrontabPlan {
  readonly body: ImportBody;
  /** Every line of the file, in order. */
  readonly report: readonly LineReport[];
  /** The line of each task and its schedule, in the order of `body`. */
  readonly taskLines: readonly number[];
  /** The part of cron's default environment that the file does not override. */
  readonly cronEnvironment: Readonly<Record<string, string>>;
}

interface PlannedJob {
  readonly line: JobLine;
  readonly settings: Settings;
}

/** Plans one import: a group with the settings above the first job, and a task and a schedule for each job. */
export function planImport(lines: readonly CrontabLine[], options: PlanOptions): CrontabPlan {
  const { report, jobs, shared } = collectJobs(lines, options);
  const names = uniqueNames(
    jobs.map(
      ({ line }) => nameFromComment(lines, line.number - 1) ?? nameFromCommand(splitPercent(line.command).script),
    ),
  );
  const named = new Map(jobs.map(({ line }, index) => [line.number, names[index]!]));
  const environment = { ...options.cronEnvironment, ...shared.environment };
  return {
    body: {
      groups: [
        { key: "file", name: options.groupName, parent_id: options.parentId, environment, time_zone: shared.timeZone },
      ],
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

interface CollectedJobs {
  readonly report: readonly LineReport[];
  readonly jobs: readonly PlannedJob[];
  /** The settings above the first job, which become the group's. */
  readonly shared: Settings;
}

function collectJobs(lines: readonly CrontabLine[], options: PlanOptions): CollectedJobs {
  const report: LineReport[] = [];
  const jobs: PlannedJob[] = [];
  let settings = initialSettings;
  let shared: Settings | null = null;
  for (const line of lines) {
    if (line.kind === "environment") {
      const applied = applySetting(settings, line);
      settings = applied.settings;
      const target = applied.outcome === "taken" ? targetOf(line, shared === null) : "";
      const text = `${target}${applied.text}`;
      report.push({ line: line.number, kind: line.kind, outcome: applied.outcome, text, warning: null });
      continue;
    }
    if (line.kind === "job") shared ??= settings;
    const assessed = withWarnings(line, assessLine(line, options), options);
    report.push({ line: line.number, kind: line.kind, ...assessed });
    if (line.kind === "job" && assessed.outcome === "taken") jobs.push({ line, settings });
  }
  return { report, jobs, shared: shared ?? settings };
}

function targetOf(line: EnvironmentLine, isShared: boolean): string {
  if (isShared) return "set for the group: ";
  return line.name === "CRON_TZ" || line.name === "RANDOM_DELAY"
    ? "set for the schedules below: "
    : "set for the tasks below: ";
}

type Assessment = Pick<LineReport, "outcome" | "text" | "warning">;

function withWarnings(line: CrontabLine, assessed: Assessment, { userWords }: PlanOptions): Assessment {
  if (line.kind !== "job" || assessed.outcome !== "taken") return assessed;
  const warnings = [...(assessed.warning === null ? [] : [assessed.warning]), ...warnOfJob(line, userWords)];
  return { ...assessed, warning: warnings.length === 0 ? null : warnings.join(". Warning: ") };
}

function assessLine(line: Exclude<CrontabLine, EnvironmentLine>, options: PlanOptions): Assessment {
  if (line.kind === "blank" || line.kind === "comment") return { outcome: "none", text: line.kind, warning: null };
  if (line.kind === "invalid") return { outcome: "refused", text: line.reason, warning: null };
  const text = `, ${describeTime(line.time)}`;
  const { daemonUser, runAsMe, unknownUsers } = options;
  const user = userOf(line, options);
  if (user === daemonUser.name) return { outcome: "taken", text, warning: null };
  if (runAsMe)
    return {
      outcome: "taken",
      text,
      warning: `the job in line ${line.number} will run as ${daemonUser.name}, not as ${user}`,
    };
  if (!daemonUser.isRoot) {
    const reason = `the job runs as ${user}, but this daemon runs as ${daemonUser.name}. Import the file into a daemon that runs as root, or use --run-as-me to run the job as ${daemonUser.name}`;
    return { outcome: "refused", text: reason, warning: null };
  }
  if (unknownUsers.has(user)) {
    const reason = `the user ${user} does not exist on this machine: create the user, or remove the line. cron ignores the whole file`;
    return { outcome: "refused", text: reason, warning: null };
  }
  return { outcome: "taken", text: `${text}, as ${user}`, warning: null };
}

/** The time fields as written, and how they are read where that differs. */
function describeTime(time: JobTime): string {
  if (time.kind === "boot") return "at boot";
  return time.written === undefined ? time.expression : `${time.written}, read as ${time.expression}`;
}

/** The user that runs a job under cron. */
function userOf(line: JobLine, { owner, daemonUser }: PlanOptions): string {
  return line.user ?? owner ?? daemonUser.name;
}

/** Lists the users of all jobs. */
export function usersOf(lines: readonly CrontabLine[], owner: string | null): readonly string[] {
  const users = lines.flatMap((line) => (line.kind === "job" ? [line.user ?? owner] : []));
  return [...new Set(users.filter((user) => user !== null))];
}

interface GroupSettings {
  /** Environment of the group. */
  readonly environment: Readonly<Record<string, string>>;
  readonly options: PlanOptions;
}

function taskOf({ line, settings }: PlannedJob, name: string, { environment, options }: GroupSettings): ImportTask {
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
    run_as: runAsOf(line, options),
    standard_input: standardInput,
    working_directory: settings.home,
    environment: Object.fromEntries(own),
    concurrency: options.noOverlap ? { limit: 1, on_conflict: "skip" } : { limit: overlapMax, on_conflict: "queue" },
  };
}

/** Null for a job of the daemon's own user. */
function runAsOf(line: JobLine, options: PlanOptions): string | null {
  const user = userOf(line, options);
  return options.runAsMe || user === options.daemonUser.name ? null : user;
}

/** cron sets no limit on overlapping runs of a job. This one is high enough to be equivalent, but not infinite. */
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
