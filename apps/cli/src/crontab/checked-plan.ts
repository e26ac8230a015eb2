import { type Client, type ImportResult, isApiError } from "@belfry/client";
import { limits } from "@belfry/contract";
import { usage } from "../failure.ts";
import { lineOfField } from "./line-of-field.ts";
import type { CrontabLine } from "./lines.ts";
import { type CrontabPlan, planImport, type PlanOptions } from "./plan.ts";

interface CheckedPlan {
  readonly plan: CrontabPlan;
  /** The result of the dry run. */
  readonly preview: ImportResult;
}

/** Plans an import that the daemon accepts. Each line that the daemon rejects is marked, so all of them are reported together. */
export async function planChecked(
  client: Client,
  lines: readonly CrontabLine[],
  options: PlanOptions,
): Promise<CheckedPlan> {
  const checked = [...lines];
  for (;;) {
    const plan = planImport(checked, options);
    if (plan.taskLines.length > limits.importItemsMax) throw refuseSize(plan.taskLines.length);
    try {
      return { plan, preview: await client.import.create({ ...plan.body, dry_run: true }) };
    } catch (error) {
      if (!isApiError(error, "validation_failed")) throw error;
      const number = lineOfField(error.field, plan, checked);
      if (number === null)
        throw error.field === "groups.0.name" ? refuseGroup(options.groupName, error.message) : error;
      checked[number - 1] = { kind: "invalid", number, reason: error.message };
    }
  }
}

function refuseSize(tasks: number): Error {
  return usage(
    `the crontab has ${tasks} jobs; the maximum for one import is ${limits.importItemsMax}`,
    "Split it into several files, and import each into its own group with --group",
  );
}

function refuseGroup(name: string, message: string): Error {
  return usage(
    `cannot create group ${JSON.stringify(name)}: ${message}`,
    "If this crontab was imported before, its tasks already exist. Otherwise choose another name with --group",
  );
}
