import type { UncertainOutcomeError } from "@belfry/client";
import type { Command as Parser } from "commander";
import { exitCodes } from "./exit-codes.ts";
import { Failure } from "./failure.ts";
import { asWritten } from "./output/hints.ts";

type Operation = UncertainOutcomeError["operation"];

/** The command that shows the result of an operation, by operation or by its resource. */
const views: Readonly<Record<string, string>> = {
  access: "actor list",
  actors: "actor list",
  chains: "chain list",
  credentials: "actor list",
  groups: "group list",
  import: "task list",
  manifest: "manifest show",
  "notification_assignments.replace_of_group": "notify show --group <group>",
  "notification_assignments.replace_of_task": "notify show <task>",
  notification_channels: "channel list",
  notification_deliveries: "delivery list",
  pairings: "pairing list",
  runs: "run list",
  schedules: "schedule list",
  tasks: "task list",
  "tasks.run": "run list",
  trigger_sets: "trigger-set list",
  triggers: "trigger list",
  "triggers.fire": "run list",
  watchers: "watcher list",
};

/** The command that shows the key of a lost response. */
const keyViews: Partial<Readonly<Record<Operation, string>>> = {
  "trigger_sets.create": "trigger-set reveal",
  "trigger_sets.rotate": "trigger-set reveal",
  "triggers.create": "trigger reveal",
  "triggers.rotate": "trigger reveal",
};

const enrollmentHint = asWritten(
  "On the daemon's machine, look for a new one with: belfry actor list, and: belfry credential list <actor>\nRevoke it with: belfry credential revoke\nThen run belfry pair again",
);

/** Asks the daemon whether the change took effect, without sending it again. `called` is the command, or null for one of many calls. */
export async function explainUncertainOutcome(error: UncertainOutcomeError, called: Parser | null): Promise<Failure> {
  const { operation } = error;
  if (operation === "access.enroll")
    return new Failure(
      exitCodes.uncertain,
      "the response to the enrolment was lost. The daemon may or may not have created a credential, whose token nobody has",
      { code: "uncertain", hint: enrollmentHint },
    );
  const details = { code: "uncertain" };
  const lost = `the response to ${operation} was lost`;
  const typed = called?.args[0];
  const profile = called?.optsWithGlobals<{ readonly profile?: string }>().profile;
  // the same daemon as that of the lost call
  const belfry = profile === undefined ? "belfry" : `belfry --profile ${profile}`;
  const view = `${belfry} ${views[operation] ?? views[operation.split(".")[0]!] ?? "task list"}`;
  const keyView = keyViews[operation];
  const noun = operation.startsWith("trigger_sets.") ? "keys" : "key";
  const key =
    keyView === undefined || typed === undefined
      ? ""
      : `\nShow the ${noun} with: ${belfry} ${keyView} ${JSON.stringify(typed)}`;
  switch (await error.settle()) {
    case "committed":
      return new Failure(exitCodes.uncertain, `${lost}, but the change took effect. Do not repeat the command`, {
        ...details,
        hint: `Check the result with: ${view}${key}`,
      });
    case "not_committed":
      return new Failure(exitCodes.failed, `${lost}, and nothing was changed. It is safe to try again`, details);
    case "unknown":
      return new Failure(exitCodes.uncertain, `${lost}. The change may or may not have taken effect`, {
        ...details,
        hint: `Check before you try again, with: ${view}, or ${belfry} audit list${key}`,
      });
  }
}
