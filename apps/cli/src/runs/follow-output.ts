import type { Run } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { pause } from "../pause.ts";
import { withoutUndefined } from "../without-undefined.ts";
import { waitingSentence } from "../views/run.ts";
import { copyOutput, type OutputSelection } from "./copy-output.ts";

const pollMs = 200;

/** Copies the output of a run until it has finished, including retries. `tail` and `since` apply to the first attempt. */
export async function followOutput(
  client: AnyClient,
  run: Run,
  { tail, since, ...selection }: OutputSelection,
): Promise<void> {
  const { out } = selection;
  let start = withoutUndefined({ tail, since });
  for (let current = run; ;) {
    const attempt = startedAttempts(current);
    const followed = Math.max(1, attempt);
    // before the first attempt, the daemon waits for it
    await copyOutput(client, run.id, { ...selection, ...start, follow: true, ...(attempt === 0 ? {} : { attempt }) });
    start = {};
    current = await client.runs.get(run.id);
    if (current.state === "queued") {
      const waiting = waitingSentence(current);
      const ended = `Attempt ${followed} of ${current.attempts_max} has finished.`;
      out.note(waiting === null ? ended : `${ended} ${waiting}`);
    }
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
