import type { Run } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { gather } from "../gather.ts";

/** Lists the runs that use a slot, newest first. Up to 1,000 of them are read at one moment. */
export function listActiveRuns(client: Pick<AnyClient, "runs">): Promise<readonly Run[]> {
  return gather(client.runs.list({ active: true, limit: 1_000 }));
}
