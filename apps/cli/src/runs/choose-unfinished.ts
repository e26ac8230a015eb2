import type { Run } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { usage } from "../failure.ts";
import { findRunOrTask, noRun } from "../find/run.ts";
import { gather } from "../gather.ts";
import { formatSpan } from "../output/time.ts";
import { runState } from "../views/run.ts";

interface Unfinished {
  readonly run: Run;
  /** How many runs of the task stay queued. */
  readonly queued: number;
}

/** Finds the run to cancel: the given one, the active run of a task, or its newest queued run if none is active. */
export async function chooseUnfinished(client: AnyClient, typed: string, nowMs: number): Promise<Unfinished> {
  const found = await findRunOrTask(client, typed);
  if (!("task" in found)) return { run: found.run, queued: 0 };
  const { task } = found;
  const runs = await gather(client.runs.list({ task_id: task.id, ended: false, limit: 1_000 }));
  const active = runs.filter(({ state }) => state !== "queued");
  const queued = runs.length - active.length;
  if (active.length > 1)
    throw usage(
      `${active.length} runs of task ${JSON.stringify(task.name)} are active, so name the run to cancel by its id`,
      `Use one of these ids:\n${active.map((run) => `  ${run.id}  ${describe(run, nowMs)}`).join("\n")}`,
    );
  const [run] = active.length === 1 ? active : runs;
  if (run === undefined) throw noRun(task, "unfinished run");
  return { run, queued: run.state === "queued" ? queued - 1 : queued };
}

function describe(run: Run, nowMs: number): string {
  return run.started_at === null
    ? runState(run)
    : `${runState(run)} for ${formatSpan(Math.max(0, nowMs - Date.parse(run.started_at)))}`;
}
