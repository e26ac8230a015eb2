import type { CrontabPlan } from "./plan.ts";
import type { CrontabLine } from "./lines.ts";

/** The line of the crontab that an error of the daemon is about, from a field such as `schedules.2.expression`. */
export function lineOfField(field: string | null, plan: CrontabPlan, lines: readonly CrontabLine[]): number | null {
  const [list, index, member, name] = field?.split(".") ?? [];
  if (list === "tasks" || list === "schedules") return plan.taskLines[Number(index)] ?? null;
  if (list !== "groups" || member === undefined) return null;
  const variable = member === "environment" ? name : member === "time_zone" ? "CRON_TZ" : null;
  const above = lines.slice(0, (plan.taskLines[0] ?? lines.length + 1) - 1);
  return above.findLast((line) => line.kind === "environment" && line.name === variable)?.number ?? null;
}
