import type { CrontabPlan } from "@belfry/crontab";

/** What a line with a job becomes. */
export interface JobDraft {
  readonly name: string;
  /** Null for a job that runs when the machine starts. */
  readonly expression: string | null;
  /** The zone that the crontab names; null for the daemon's own. */
  readonly zone: string | null;
  /** Another user than the daemon's, or null. */
  readonly user: string | null;
}

/** The jobs of a plan by their lines. */
export function draftsOf({ body, taskLines }: CrontabPlan): ReadonlyMap<number, JobDraft> {
  const zone = body.groups?.[0]?.time_zone ?? null;
  return new Map(
    taskLines.map((line, index) => {
      const task = body.tasks![index]!;
      const schedule = body.schedules![index]!;
      const isCron = schedule.kind === "cron";
      return [
        line,
        {
          name: task.name,
          expression: isCron ? schedule.expression : null,
          zone: isCron ? (schedule.time_zone ?? zone) : null,
          user: task.run_as ?? null,
        },
      ];
    }),
  );
}
