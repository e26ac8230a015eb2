import { whyRunsMax } from "@belfry/contract";
import type { WhyQuestion } from "../tasks/index.ts";
import type { RunStore } from "./store.ts";
import type { RunRow } from "./table.ts";

/** Lists the latest runs of a task that were requested by a time: few, however many the task keeps. */
export function listNewestRuns(
  runs: Pick<RunStore, "list">,
  { taskId, at }: Pick<WhyQuestion, "taskId" | "at">,
): readonly RunRow[] {
  return runs.list({ taskId, until: at + 1 }, { limit: whyRunsMax, after: null }).slice(0, whyRunsMax);
}
