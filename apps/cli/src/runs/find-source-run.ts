import { isApiError, type Run } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";

/** The run that started this one through a chain; null if there is none, or it was deleted. */
export async function findSourceRun(client: AnyClient, run: Run): Promise<Run | null> {
  if (run.source_run_id === undefined) return null;
  try {
    return await client.runs.get(run.source_run_id);
  } catch (error) {
    if (isApiError(error, "not_found")) return null;
    throw error;
  }
}
