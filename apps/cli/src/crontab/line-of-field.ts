import type { CrontabPlan } from "./plan.ts";
import type { CrontabLine } from "./lines.ts";

/** The line of the file that a refusal of the daemon concerns, from a field such as `schedules.2.expression`. */
export function lineOfField(field: string | null, plan: CrontabPlan, lines: readonly CrontabLine[]): number | null {
  const [room, index, member, name] = field?.split(".") ?? [];
  if (room === "tasks" || room === "schedules") return plan.taskLines[Number(index)] ?? null;
  if (room !== "groups" || member === undefined) return null;
  const wanted = member === "environment" ? name : member === "time_zone" ? "CRON_TZ" : null;
  const above = lines.slice(0, (plan.taskLines[0] ?? lines.length + 1) - 1);
  return above.findLast((line) => line.kind === "environment" && line.name === wanted)?.number ?? null;
}
