import type { Paint } from "../output/paint.ts";
import type { Column } from "../output/table.ts";
import type { CrontabPlan, LineReport } from "./plan.ts";

const paints: Readonly<Record<LineReport["outcome"], Paint>> = {
  taken: "good",
  left_out: "warn",
  refused: "bad",
  none: "dim",
};

export const reportColumns: readonly Column<LineReport>[] = [
  { title: "LINE", text: ({ line }) => String(line), isNumber: true },
  { title: "OUTCOME", text: ({ outcome }) => outcome.replace("_", " "), color: ({ outcome }) => paints[outcome] },
  { title: "WHAT", text: ({ text }) => text },
];

export function describeImport(plan: CrontabPlan, groupName: string, isMade: boolean): string {
  const tasks = plan.taskLines.length === 1 ? "1 task" : `${plan.taskLines.length} tasks`;
  const lines = [`${isMade ? "Imported" : "Would import"} ${tasks} into the group ${JSON.stringify(groupName)}.`];
  const hasPath = plan.body.groups?.[0]?.environment?.["PATH"] !== undefined;
  if (!hasPath) lines.push("The file sets no PATH: here it is the daemon's, under cron it was /usr/bin:/bin.");
  lines.push(isMade ? "cron still has these jobs: take them out of it, or they run twice." : "Nothing was changed.");
  return lines.join("\n");
}

export function explainRefused(source: string, refusedCount: number, plan: CrontabPlan): string {
  const what = refusedCount === 1 ? "1 line cannot" : `${refusedCount} lines cannot`;
  const first = `Nothing was imported: ${what} be taken over from ${source}.`;
  return plan.taskLines.length === 0 ? first : `${first}\nMend them, or leave them out with --skip-unsupported.`;
}
