import { type Client, isApiError, type Run } from "@belfry/client";

/** The run whose end asked for this one; null where there is none, or its history is gone. */
export async function findSourceRun(client: Client, run: Run): Promise<Run | null> {
  if (run.source_run_id === undefined) return null;
  try {
    return await client.runs.get(run.source_run_id);
  } catch (error) {
    if (isApiError(error, "not_found")) return null;
    throw error;
  }
}
