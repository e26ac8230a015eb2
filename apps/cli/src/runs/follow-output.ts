import type { Run } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import type { Output } from "../output/output.ts";
import { pause } from "../pause.ts";
import { copyOutput } from "./copy-output.ts";

const pollMs = 200;

/** Copies the output of a run until it has finished, including retries. */
export async function followOutput(
  client: AnyClient,
  run: Run,
  { stream, out }: { readonly stream: "stdout" | "stderr" | "both"; readonly out: Output },
): Promise<void> {
  for (let current = run; ;) {
    const attempt = startedAttempts(current);
    const followed = Math.max(1, attempt);
    // before the first attempt, the daemon waits for it
    await copyOutput(client, run.id, { stream, follow: true, ...(attempt === 0 ? {} : { attempt }), out });
    current = await client.runs.get(run.id);
    if (current.state === "queued") out.note(`[attempt ${followed} of ${current.attempts_max} finished]`);
    while (current.state === "queued") {
      await pause(pollMs);
      current = await client.runs.get(run.id);
    }
    if (current.attempt <= followed) return;
  }
}

/** Between two attempts, `attempt` is already the number of the next one. */
function startedAttempts({ state, attempt }: Run): number {
  return state === "queued" ? Math.max(0, attempt - 1) : attempt;
}
