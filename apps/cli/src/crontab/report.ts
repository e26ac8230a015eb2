import type { CrontabPlan, LineReport } from "@belfry/crontab";
import { quoteForShell, type Rewrite } from "../output/hints.ts";
import type { Paint } from "../output/paint.ts";
import type { Column } from "../output/table.ts";

const paints: Readonly<Record<LineReport["outcome"], Paint>> = {
  taken: "good",
  left_out: "warn",
  refused: "bad",
  none: "dim",
};

const actions: Readonly<Record<LineReport["outcome"], string>> = {
  taken: "import",
  left_out: "ignore",
  refused: "reject",
  none: "none",
};

export function reportColumns(hint: Rewrite): readonly Column<LineReport>[] {
  return [
    { title: "LINE", text: ({ line }) => String(line), isNumber: true },
    { title: "ACTION", text: ({ outcome }) => actions[outcome], color: ({ outcome }) => paints[outcome] },
    { title: "DETAILS", text: ({ text }) => hint(text) },
  ];
}

export function describeImport(plan: CrontabPlan, groupName: string, isMade: boolean): string {
  const tasks = plan.taskLines.length === 1 ? "1 task" : `${plan.taskLines.length} tasks`;
  return [
    ...warningsOf(plan),
    `${isMade ? "Imported" : "Would import"} ${tasks} into group ${JSON.stringify(groupName)}.`,
    ...describeEnvironment(plan.cronEnvironment),
    isMade
      ? `cron still runs these jobs. Remove the jobs from the crontab, or they run twice.\n${describeUndo(groupName)}`
      : "Nothing was changed.",
  ].join("\n");
}

/** Disabled first, so that no task starts meanwhile: a task with an active run cannot be deleted. */
function describeUndo(groupName: string): string {
  const group = quoteForShell(groupName);
  return [
    "To undo the import:",
    `belfry group disable ${group}`,
    `belfry task list --group ${group} --columns id | grep tsk_ | xargs belfry task delete`,
    `belfry group delete ${group}`,
  ].join("\n");
}

function warningsOf({ report }: CrontabPlan): readonly string[] {
  return report.flatMap(({ warning }) => (warning === null ? [] : [`Warning: ${warning}.`]));
}

/** The values of /etc/environment are not shown, because they can contain passwords, for example of a proxy. */
function describeEnvironment({ PATH, SHELL, ...session }: CrontabPlan["cronEnvironment"]): readonly string[] {
  const names = Object.keys(session).filter((name) => session[name] !== "");
  const parts = [
    ...(PATH === undefined ? [] : [`PATH=${PATH}`]),
    ...(SHELL === undefined ? [] : [`SHELL=${SHELL}`]),
    ...(session["LANG"] === "" ? ["no LANG"] : []),
    ...(names.length === 0 ? [] : [`${names.join(", ")} from /etc/environment or /etc/default/locale`]),
  ];
  return parts.length === 0 ? [] : [`Environment, as under cron: ${parts.join(", ")}.`];
}

/** Of a file that is no crontab, every line is refused: the first ones show that as well as all. */
const refusedShownMax = 10;

export function linesToShow(report: readonly LineReport[]): readonly LineReport[] {
  const shown = report.filter(({ outcome }) => outcome !== "none");
  const surplus = new Set(shown.filter(({ outcome }) => outcome === "refused").slice(refusedShownMax));
  return surplus.size <= 1 ? shown : shown.filter((line) => !surplus.has(line));
}

/** `and 90 more lines that cannot be imported`. Empty if all are shown. */
export function hiddenText(report: readonly LineReport[]): string {
  const hidden = report.filter(({ outcome }) => outcome !== "none").length - linesToShow(report).length;
  return hidden === 0 ? "" : `and ${hidden} more lines that cannot be imported\n`;
}

export function explainRefused(source: string, refusedCount: number, plan: CrontabPlan): string {
  const what = refusedCount === 1 ? "1 line cannot be imported" : `${refusedCount} lines cannot be imported`;
  const first = `Nothing was imported from ${source}: ${what}.`;
  const hint = refusedCount === 1 ? "Fix this line, or skip it" : "Fix these lines, or skip them";
  const end = plan.taskLines.length === 0 ? [] : [`${hint} with --skip-unsupported.`];
  return [...warningsOf(plan), first, ...end].join("\n");
}
