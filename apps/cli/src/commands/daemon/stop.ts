import type { Client, Run } from "@belfry/client";
import { isApiError } from "@belfry/client";
import { defineCommand } from "../../command.ts";
import { isAlive } from "../../daemon/process.ts";
import { findDaemon } from "../../daemon/running.ts";
import { exitCodes } from "../../exit-codes.ts";
import { Failure, usage } from "../../failure.ts";
import { gather } from "../../gather.ts";
import { flag } from "../../options.ts";
import type { Output } from "../../output/output.ts";
import { pause } from "../../pause.ts";

const pollMs = 200;
const stopMaxMs = 60_000;

export const command = defineCommand({
  options: {
    wait: flag("--wait", "first wait until no task runs"),
    kill: flag("--kill", "first end the tasks that run, and drop those that wait"),
  },
  details:
    "Without an option running tasks go on, and the next daemon finds them with their output and exit codes. Webhook attempts in flight end first, which takes five seconds at most.",
  examples: [
    ["belfry daemon stop", "for an upgrade: no task notices"],
    ["belfry daemon stop --wait", "before the machine goes down"],
  ],
  run: async ({ connect, options, location, host, out }) => {
    if (options.wait === true && options.kill === true) throw usage("--wait and --kill are different ends: choose one");
    const client = await connect();
    const { pid, info, socket } = await findDaemon(client, location, host);
    if (info === null && (options.kill === true || options.wait === true)) throw unanswered(pid, socket);
    if (options.kill === true) await endAll(client, out);
    if (options.wait === true) await untilNone(client, out, ["dispatching", "running", "cancelling"]);
    process.kill(pid, "SIGTERM");
    await untilGone(pid, out);
    out.answer({ status: "stopped", pid }, () => "The daemon has stopped");
  },
});

function unanswered(pid: number, socket: string): Failure {
  return new Failure(
    exitCodes.unreachable,
    `the daemon runs as process ${pid}, but does not answer at ${socket}, so its tasks cannot be listed`,
    { hint: "Leave out --wait and --kill to stop the daemon alone" },
  );
}

type State = Run["state"];

async function runsIn(client: Client, states: readonly State[]): Promise<readonly Run[]> {
  return (await Promise.all(states.map((state) => gather(client.runs.list({ state, limit: 1000 }))))).flat();
}

/** Those that wait go first, so that none of them starts in the place of one that is ended. */
async function endAll(client: Client, out: Output): Promise<void> {
  const runs = await runsIn(client, ["queued", "dispatching", "running"]);
  for (const { id } of runs) await cancelIfLive(client, id);
  if (runs.length > 0) out.note(`Ending ${runs.length} ${runs.length === 1 ? "run" : "runs"}`);
  await untilNone(client, out, ["queued", "dispatching", "running", "cancelling"]);
}

async function cancelIfLive(client: Client, id: string): Promise<void> {
  try {
    await client.runs.cancel(id);
  } catch (error) {
    // ended in the meantime
    if (!isApiError(error, "conflict") && !isApiError(error, "not_found")) throw error;
  }
}

async function untilNone(client: Client, out: Output, states: readonly State[]): Promise<void> {
  let live = await runsIn(client, states);
  using _ = out.progress(
    () =>
      `Waiting for ${live.length}: ${live
        .slice(0, 3)
        .map((run) => run.task_name)
        .join(", ")}${live.length > 3 ? ", ..." : ""}`,
  );
  while (live.length > 0) {
    await pause(pollMs);
    live = await runsIn(client, states);
  }
}

async function untilGone(pid: number, out: Output): Promise<void> {
  using _ = out.progress(() => `Waiting for process ${pid} to end`);
  for (let waitedMs = 0; isAlive(pid); waitedMs += pollMs) {
    if (waitedMs > stopMaxMs)
      throw new Failure(exitCodes.failed, `process ${pid} has not ended within a minute; its log may say why`);
    await pause(pollMs);
  }
}
