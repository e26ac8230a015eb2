import type { Client, Run } from "@belfry/client";
import { isLive } from "../find/run.ts";
import type { Output } from "../output/output.ts";
import { pause } from "../pause.ts";
import { copyOutput } from "./copy-output.ts";

const pollMs = 200;

/** What a run writes until it has ended, retries included. */
export async function followOutput(
  client: Client,
  run: Run,
  { stream, out }: { readonly stream: "stdout" | "stderr" | "both"; readonly out: Output },
): Promise<void> {
  for (let current = run; ;) {
    const followed = Math.max(1, current.attempt);
    // a run that waits for its first attempt is waited for by the daemon
    const attempt = current.attempt === 0 ? {} : { attempt: current.attempt };
    await copyOutput(client, run.id, { stream, follow: true, ...attempt, out });
    current = await client.runs.get(run.id);
    if (isLive(current) && current.attempt <= followed)
      out.note(`[attempt ${followed} of ${current.attempts_max} has ended]`);
    while (isLive(current) && current.attempt <= followed) {
      await pause(pollMs);
      current = await client.runs.get(run.id);
    }
    if (current.attempt <= followed) return;
  }
}
