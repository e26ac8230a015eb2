import type { Client } from "@belfry/client";
import { ConnectionError, isBelfryError } from "@belfry/client";
import { defineLocalCommand } from "../../command.ts";
import { dataDirFor } from "../../connect.ts";
import { cancelAll, waitForNone } from "../../daemon/cancel-all.ts";
import { listLiveRunners } from "../../daemon/live-runners.ts";
import { listOutputHolders, listProcesses, type NamedProcess } from "../../daemon/output-holders.ts";
import { isAlive } from "../../daemon/process.ts";
import { findDaemon } from "../../daemon/running.ts";
import { exitCodes } from "../../exit-codes.ts";
import { Failure, usage } from "../../failure.ts";
import { flag } from "../../options.ts";
import type { Output } from "../../output/output.ts";
import { pause } from "../../pause.ts";
import { listActiveRuns } from "../../runs/list-active.ts";

const pollMs = 200;
const stopMaxMs = 60_000;

export const command = defineLocalCommand({
  options: {
    wait: flag("--wait", "wait until no task is running, then stop"),
    kill: flag("--kill", "cancel all running and queued runs, then stop"),
  },
  details:
    "By default, running tasks continue, and the next daemon takes them over with their output and exit codes. Webhook requests in progress finish first, which takes at most five seconds. With --wait, other tasks still start meanwhile; `belfry hold` keeps them from starting, until `belfry release`. With --kill, no other task starts meanwhile, and programs that a task left in the background are named.",
  examples: [
    ["belfry daemon stop", "stop for an upgrade; running tasks continue"],
    ["belfry daemon stop --wait", "stop once no task is running, for example before a shutdown"],
  ],
  run: async ({ connect, options, location, host, out }) => {
    if (options.wait === true && options.kill === true)
      throw usage("--wait and --kill cannot be combined. Use one of them");
    const client = await connect();
    const { pid, info, socket } = await findDaemon(client, location, host).catch((error: unknown) =>
      Promise.reject(explainLeftTasks(error, dataDirFor(location, host))),
    );
    if (info === null && (options.kill === true || options.wait === true)) throw refuseUnreachable(pid, socket);
    if (options.kill === true) await cancelAll(client, out, host.now);
    if (options.wait === true) await waitForNone(client, out);
    const running = info === null ? null : await countRunning(client);
    process.kill(pid, "SIGTERM");
    await waitForExit(pid, out);
    const left = options.kill === true && info !== null ? listOutputHolders(listLiveRunners(info.data_dir)) : null;
    const answer = { status: "stopped", pid, running, ...(left === null ? {} : { left_processes: left }) };
    out.answer(answer, () =>
      out.hint(`The daemon has stopped${describeLeft(running)}${describeProcesses(left ?? [])}`),
    );
  },
});

/** Null if the daemon cannot tell: it must stop nevertheless. */
async function countRunning(client: Client): Promise<number | null> {
  try {
    return (await listActiveRuns(client)).length;
  } catch (error) {
    if (isBelfryError(error)) return null;
    throw error;
  }
}

function describeLeft(running: number | null): string {
  if (running === 0) return "";
  if (running === null) return ". Tasks that were running keep running, and the next daemon takes them over";
  const tasks =
    running === 1
      ? "1 task keeps running, and the next daemon takes it over"
      : `${running} tasks keep running, and the next daemon takes them over`;
  return `. ${tasks}. To end ${running === 1 ? "it" : "them"}, start the daemon, then run: belfry daemon stop --kill`;
}

/** What a task left in the background is no part of its run, so that no cancel ends it. */
function describeProcesses(left: readonly NamedProcess[]): string {
  if (left.length === 0) return "";
  const what =
    left.length === 1
      ? "1 process that a task left in the background still runs"
      : `${left.length} processes that tasks left in the background still run`;
  return `. ${what}: ${listProcesses(left)}. To end ${left.length === 1 ? "it" : "them"}: kill ${left.map((each) => each.pid).join(" ")}`;
}

/** A daemon that was killed leaves its runner, whose tasks only a daemon can end. */
function explainLeftTasks(error: unknown, dataDir: string | null): unknown {
  if (!(error instanceof ConnectionError) || dataDir === null) return error;
  const [runner] = listLiveRunners(dataDir);
  if (runner === undefined) return error;
  return new Failure(
    exitCodes.unreachable,
    `the daemon is not running, but its tasks may still run: its runner, process ${runner}, is alive`,
    {
      hint: `To end them, start the daemon with: belfry daemon run\nThen run: belfry daemon stop --kill${describeHolders(runner)}`,
    },
  );
}

/** What a task left in the background after its run ended is no run, so no daemon ends it. */
function describeHolders(runner: number): string {
  const holders = listOutputHolders([runner]);
  if (holders.length === 0) return "";
  return `\nIf one of its processes belongs to no run, end it with kill: ${listProcesses(holders)}`;
}

function refuseUnreachable(pid: number, socket: string): Failure {
  return new Failure(
    exitCodes.unreachable,
    `the daemon is running as process ${pid}, but does not respond at ${socket}, so its runs cannot be listed`,
    { hint: "To stop only the daemon and keep its tasks running, omit --wait and --kill" },
  );
}

async function waitForExit(pid: number, out: Output): Promise<void> {
  using _ = out.progress(() => `Waiting for process ${pid} to exit`);
  for (let waitedMs = 0; isAlive(pid); waitedMs += pollMs) {
    if (waitedMs > stopMaxMs)
      throw new Failure(exitCodes.failed, `process ${pid} did not exit within one minute. Check the daemon's log`);
    await pause(pollMs);
  }
}
