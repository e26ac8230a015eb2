import type { Json } from "./harness.ts";
import { type Daemon, listRuns, made2xx, makeTask } from "./tasks.ts";

/** Creates a chain between two tasks, on success by default. */
export function link(
  daemon: Daemon,
  source: { readonly id: string },
  target: { readonly id: string },
  more: object = {},
): Promise<Json> {
  const body = { source_task_id: source.id, target_task_id: target.id, on_outcome: "success", ...more };
  return made2xx(daemon.call("POST", "/v1/chains", body));
}

/** Creates one target for each outcome of a chain. The targets do nothing. */
export async function linkEachOutcome(daemon: Daemon, source: { readonly id: string }): Promise<void> {
  for (const on_outcome of ["success", "failure", "any"])
    await link(daemon, source, await makeTask(daemon, ":", { name: `on ${on_outcome} of ${source.id}` }), {
      on_outcome,
    });
}

/** The runs that the end of this run requested. */
export async function startedBy(daemon: Daemon, run: { readonly id: string }): Promise<readonly Json[]> {
  const all = await listRuns(daemon, "trigger=completion&limit=1000");
  return all.filter(({ source_run_id }) => source_run_id === run.id);
}

/** The targets of `linkEachOutcome` that this run started, as outcomes: `any`, `failure`, `success`, sorted. */
export async function outcomesStartedBy(daemon: Daemon, run: { readonly id: string }): Promise<readonly string[]> {
  return (await startedBy(daemon, run)).map(({ task_name }) => String(task_name).split(" ")[1]!).sort();
}
