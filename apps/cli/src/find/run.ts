import type { Client, Run } from "@belfry/client";
import { exitCodes } from "../exit-codes.ts";
import { Failure } from "../failure.ts";
import { findTask } from "./task.ts";

const idPattern = /^run_[0-9A-Za-z]{20}$/;

interface Wanted {
  /** As a refusal names them: `run that goes on`. */
  readonly what: string;
  readonly matches: (run: Run) => boolean;
}

const anyRun: Wanted = { what: "run yet", matches: () => true };

/** By id; or the newest run of a task that `matches`, by the task's name. */
export async function findRun(client: Client, typed: string, { what, matches }: Wanted = anyRun): Promise<Run> {
  if (idPattern.test(typed)) return client.runs.get(typed);
  const task = await findTask(client, typed);
  for await (const run of client.runs.list({ task_id: task.id })) {
    if (matches(run)) return run;
  }
  throw new Failure(exitCodes.notFound, `the task ${JSON.stringify(task.name)} has no ${what}`, {
    hint: `See its runs with: belfry run list --task ${task.id}`,
  });
}

const liveStates: readonly Run["state"][] = ["queued", "dispatching", "running", "cancelling"];

/** Whether its end is still to come. */
export function isLive(run: Run): boolean {
  return liveStates.includes(run.state);
}
