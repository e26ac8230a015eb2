import type { Run } from "@belfry/contract";
import { EventsApi } from "./api/events.ts";
import type { Caller } from "./caller.ts";
import { AbortError } from "./errors.ts";
import type { CallOptions } from "./options.ts";
import { isTransient } from "./retry.ts";
import { sleep } from "./sleep.ts";
import { tracing } from "./stack-trace.ts";

const liveStates: readonly Run["state"][] = ["queued", "dispatching", "running", "cancelling"];

/** Waits for the end of a run by its events. After each connection it reads the run again, because events are not replayed. */
export function waitForRun(caller: Caller, id: string, options: CallOptions = {}): Promise<Run> {
  return tracing(untilEnd(caller, id, options));
}

async function untilEnd(caller: Caller, id: string, options: CallOptions): Promise<Run> {
  // a run that does not exist, or a daemon that is not running, fails at once
  const first = await caller.call("runs.get", { params: { id }, options });
  if (!liveStates.includes(first.state)) return first;
  for await (const event of new EventsApi(caller).subscribe({ ...options, kinds: ["run"] })) {
    if (event.kind !== "resync" && event.id !== id) continue;
    const run = await readRun(caller, id, options);
    if (!liveStates.includes(run.state)) return run;
  }
  // only the signal ends the subscription
  throw new AbortError(options.signal!);
}

/** Tries until the daemon answers: it may restart while the run continues. */
async function readRun(caller: Caller, id: string, options: CallOptions): Promise<Run> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await caller.call("runs.get", { params: { id }, options });
    } catch (error) {
      if (!isTransient(error)) throw error;
      await sleep(caller.delayMs(failures), options.signal);
    }
  }
}
