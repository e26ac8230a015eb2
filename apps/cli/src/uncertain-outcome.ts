import type { UncertainOutcomeError } from "@belfry/client";
import { exitCodes } from "./exit-codes.ts";
import { Failure } from "./failure.ts";

type Operation = UncertainOutcomeError["operation"];

/** Where the work of an operation can be seen; by the operation's room unless it is named itself. */
const views: Readonly<Record<string, string>> = {
  chains: "chain list",
  groups: "group list",
  import: "task list",
  manifest: "manifest show",
  notification_assignments: "notify show",
  notification_channels: "channel list",
  notification_deliveries: "delivery list",
  runs: "run list",
  schedules: "schedule list",
  tasks: "task list",
  "tasks.run": "run list",
  trigger_sets: "trigger-set list",
  triggers: "trigger list",
  "triggers.fire": "run list",
};

/** What shows the key that the lost answer held. */
const keyViews: Partial<Readonly<Record<Operation, string>>> = {
  "trigger_sets.create": "trigger-set reveal",
  "trigger_sets.rotate": "trigger-set reveal",
  "triggers.create": "trigger reveal",
  "triggers.rotate": "trigger reveal",
};

/** The daemon is asked whether the change is in effect; nothing is sent again. `typed` is what the command was called for. */
export async function explainUncertainOutcome(
  error: UncertainOutcomeError,
  typed: string | undefined,
): Promise<Failure> {
  const { operation } = error;
  const details = { code: "uncertain" };
  const lost = `the answer to ${operation} was lost`;
  const view = `belfry ${views[operation] ?? views[operation.split(".")[0]!] ?? "task list"}`;
  const keyView = keyViews[operation];
  const noun = operation.startsWith("trigger_sets.") ? "keys" : "key";
  const key =
    keyView === undefined || typed === undefined
      ? ""
      : `\nSee its ${noun} with: belfry ${keyView} ${JSON.stringify(typed)}`;
  switch (await error.settle()) {
    case "committed":
      return new Failure(exitCodes.uncertain, `${lost}, but the change is in effect; do not send it again`, {
        ...details,
        hint: `See what it did with: ${view}${key}`,
      });
    case "not_committed":
      return new Failure(exitCodes.failed, `${lost}, and nothing was changed; it is safe to try again`, details);
    case "unknown":
      return new Failure(exitCodes.uncertain, `${lost}: it may or may not have taken effect`, {
        ...details,
        hint: `Look before you try again: ${view}, belfry audit list${key}`,
      });
  }
}
