import type { Run, RunListQuery, Task } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { exitCodes } from "../exit-codes.ts";
import { Failure } from "../failure.ts";
import { tryFind } from "./find.ts";
import { findTask, taskKind } from "./task.ts";

const idPattern = /^run_[0-9A-Za-z]{20}$/;

interface RunFilter {
  /** As an error describes such a run: `unfinished run`. */
  readonly description: string;
  readonly matches: (run: Run) => boolean;
  /** Lists only these runs. */
  readonly query?: RunListQuery;
}

const anyRun: RunFilter = { description: "run yet", matches: () => true };

/** Finds a run by id, or the newest run of a task that `matches`. */
export async function findRun(
  client: AnyClient,
  typed: string,
  { description, matches, query }: RunFilter = anyRun,
): Promise<Run> {
  const found = await findRunOrTask(client, typed);
  if (!("task" in found)) return found.run;
  for await (const run of client.runs.list({ ...query, task_id: found.task.id })) {
    if (matches(run)) return run;
  }
  throw noRun(found.task, description);
}

/** Finds a run by id, or the task whose run is meant. */
export async function findRunOrTask(
  client: AnyClient,
  typed: string,
): Promise<{ readonly run: Run } | { readonly task: Task }> {
  if (idPattern.test(typed)) return { run: await client.runs.get(typed) };
  if (typed.startsWith("run_") && (await tryFind(taskKind(client), typed)) === null) {
    throw new Failure(exitCodes.notFound, `there is no run ${JSON.stringify(typed)}`, {
      hint: "List the runs with: belfry run list",
    });
  }
  return { task: await findTask(client, typed) };
}

/** `description` is what the task lacks: `unfinished run`. */
export function noRun({ id, name }: Task, description: string): Failure {
  return new Failure(exitCodes.notFound, `task ${JSON.stringify(name)} has no ${description}`, {
    hint: `See the task's runs with: belfry run list --task ${id}`,
  });
}

const liveStates: readonly Run["state"][] = ["queued", "dispatching", "running", "cancelling"];

/** Whether the run has not finished. */
export function isLive(run: Run): boolean {
  return liveStates.includes(run.state);
}
