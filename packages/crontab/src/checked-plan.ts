import { limits } from "@belfry/contract";
import { lineOfField } from "./line-of-field.ts";
import type { CrontabLine } from "./lines.ts";
import { type CrontabPlan, type ImportBody, planImport, type PlanOptions } from "./plan.ts";

/** Why the daemon rejects an import, from its error `validation_failed`. */
export interface Rejection {
  readonly field: string | null;
  readonly message: string;
}

/** Asks the daemon, with a dry run, whether it accepts an import. Returns null if it does. */
export type Check = (body: ImportBody & { readonly dry_run: true }) => Promise<Rejection | null>;

/**
 * The plan that was checked last, and what prevents its import as a whole: it has too many jobs, or the daemon rejects
 * something that belongs to no line, such as the name of the group.
 */
export type CheckedPlan =
  | { readonly kind: "accepted"; readonly plan: CrontabPlan }
  | { readonly kind: "too_many"; readonly plan: CrontabPlan }
  | { readonly kind: "rejected"; readonly plan: CrontabPlan; readonly rejection: Rejection };

/** Plans an import that the daemon accepts. Each line that the daemon rejects is marked, so all of them are reported together. */
export async function planChecked(
  lines: readonly CrontabLine[],
  options: PlanOptions,
  check: Check,
): Promise<CheckedPlan> {
  const checked = [...lines];
  for (;;) {
    const plan = planImport(checked, options);
    if (plan.taskLines.length > limits.importItemsMax) return { kind: "too_many", plan };
    const rejection = await check({ ...plan.body, dry_run: true });
    if (rejection === null) return { kind: "accepted", plan };
    const number = lineOfField(rejection.field, plan, checked);
    if (number === null) return { kind: "rejected", plan, rejection };
    checked[number - 1] = { kind: "invalid", number, reason: rejection.message };
  }
}
