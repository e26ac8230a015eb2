import type { Run } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";

type LiveState = "queued" | "dispatching" | "running" | "cancelling";

/** The states of a run that uses a slot, in the order in which a run enters them. */
export const activeStates: readonly LiveState[] = ["dispatching", "running", "cancelling"];

/**
 * Lists the runs in any of these states, which must be in the order in which a run enters them. The states are read one
 * after the other: if all were read at once, a run that changes from one to the next could be in neither list.
 */
export async function listRunsInStates(
  client: Pick<AnyClient, "runs">,
  states: readonly LiveState[],
  query: { readonly task_id?: string } = {},
): Promise<readonly Run[]> {
  const found = new Map<string, Run>();
  for (const state of states)
    for await (const run of client.runs.list({ ...query, state, limit: 1_000 })) found.set(run.id, run);
  return [...found.values()];
}
