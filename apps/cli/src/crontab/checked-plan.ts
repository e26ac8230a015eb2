import { type Client, isApiError } from "@belfry/client";
import { limits } from "@belfry/contract";
import { type Check, type CrontabLine, type CrontabPlan, planChecked, type PlanOptions } from "@belfry/crontab";
import { usage } from "../failure.ts";

/** Plans an import that the daemon accepts, or explains why it can be none. */
export async function planImportWith(
  client: Client,
  lines: readonly CrontabLine[],
  options: PlanOptions,
): Promise<CrontabPlan> {
  let rejected: unknown = null;
  const check: Check = async (body) => {
    try {
      await client.import.create(body);
      return null;
    } catch (error) {
      if (!isApiError(error, "validation_failed")) throw error;
      rejected = error;
      return error;
    }
  };
  const checked = await planChecked(lines, options, check);
  if (checked.kind === "accepted") return checked.plan;
  if (checked.kind === "too_many") throw refuseSize(checked.plan.taskLines.length);
  const { field, message } = checked.rejection;
  throw field === "groups.0.name" ? refuseGroup(message) : rejected;
}

function refuseSize(tasks: number): Error {
  return usage(
    `the crontab has ${tasks} jobs; the maximum for one import is ${limits.importItemsMax}`,
    "Split it into several files, and import each into its own group with --group",
  );
}

function refuseGroup(message: string): Error {
  return usage(
    message,
    "Name the new group with --group. If this crontab was imported before, it needs no second import",
  );
}
