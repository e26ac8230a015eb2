import { until } from "@belfry/test-kit";
import type { Client, OutputItem, Run } from "../src/index.ts";

export function endOf(client: Client, run: Run): Promise<Run> {
  return until("the run has ended", async () => {
    const now = await client.runs.get(run.id);
    return now.ended_at === null ? null : now;
  });
}

export function textOf(items: readonly OutputItem[], stream: "stdout" | "stderr"): string {
  return Buffer.concat(
    items.flatMap((item) => (item.kind === "output" && item.stream === stream ? [item.bytes] : [])),
  ).toString();
}
