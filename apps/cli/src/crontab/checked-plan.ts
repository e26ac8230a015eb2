import { type Client, type ImportResult, isApiError } from "@belfry/client";
import { limits } from "@belfry/contract";
import { usage } from "../failure.ts";
import { lineOfField } from "./line-of-field.ts";
import type { CrontabLine } from "./lines.ts";
import { type CrontabPlan, planImport, type PlanOptions } from "./plan.ts";

interface CheckedPlan {
  readonly plan: CrontabPlan;
  /** What the daemon would make of it. */
  readonly preview: ImportResult;
}

/** A plan that the daemon accepts: whatever it refuses becomes a refused line, so that all of them are told at once. */
export async function planChecked(
  client: Client,
  lines: readonly CrontabLine[],
  options: PlanOptions,
): Promise<CheckedPlan> {
  const judged = [...lines];
  for (;;) {
    const plan = planImport(judged, options);
    if (plan.taskLines.length > limits.importItemsMax) throw refuseSize(plan.taskLines.length);
    try {
      return { plan, preview: await client.import.create({ ...plan.body, dry_run: true }) };
    } catch (error) {
      if (!isApiError(error, "validation_failed")) throw error;
      const number = lineOfField(error.field, plan, judged);
      if (number === null)
        throw error.field === "groups.0.name" ? refuseGroup(options.groupName, error.message) : error;
      judged[number - 1] = { kind: "invalid", number, reason: error.message };
    }
  }
}

function refuseSize(tasks: number): Error {
  return usage(
    `the crontab has ${tasks} jobs, and one import takes ${limits.importItemsMax} at most`,
    "Split it into several files, and import each into a group of its own with --group",
  );
}

function refuseGroup(name: string, message: string): Error {
  return usage(
    `the group ${JSON.stringify(name)} cannot be made: ${message}`,
    "If this crontab was imported before, its jobs are there already. Else choose another name with --group",
  );
}
