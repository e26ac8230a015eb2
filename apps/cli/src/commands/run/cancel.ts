import type { AnyClient } from "../../any-client.ts";
import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { flag } from "../../options.ts";
import { runState } from "../../views/run.ts";
import { chooseUnfinished } from "../../runs/choose-unfinished.ts";
import { waitForRun } from "../../runs/wait-for-run.ts";

async function readKillGrace(client: AnyClient, taskId: string): Promise<string> {
  return (await client.tasks.get(taskId)).kill_grace;
}

export const command = defineCommand({
  arguments: [
    { ...argument.run, summary: "run id; or a task, for its active run, or its newest queued run if none is active" },
  ],
  options: { wait: flag("-w, --wait", "wait until the run has finished") },
  details:
    "Sends TERM, then KILL after the task's kill grace. A second cancel sends KILL immediately. To change the kill grace, use: belfry task edit <task> --kill-grace <duration>",
  examples: [
    ['belfry run cancel "Nightly backup"', "cancel the active run of a task"],
    ["belfry run cancel run_4fzH1TqWb8YkV0c2LxNd --wait", "cancel a run and wait until it has finished"],
  ],
  run: async ({ connect, args: [typed], options, host, out }) => {
    const client = await connect();
    const { run: chosen, queued } = await chooseUnfinished(client, typed, host.now());
    const cancelled = await client.runs.cancel(chosen.id);
    const run = options.wait === true ? await waitForRun(client, cancelled, { out, now: host.now }) : cancelled;
    out.answer(run, () => `Run of task ${JSON.stringify(run.task_name)}: ${runState(run)} (${run.id})`);
    // a second cancel has sent KILL
    if (run.state === "cancelling" && chosen.state !== "cancelling")
      out.note(
        `The program was told to end. If it is still running after ${await readKillGrace(client, run.task_id)}, it is killed`,
      );
    if (queued > 0)
      out.note(
        `${queued === 1 ? "1 other run of the task is" : `${queued} other runs of the task are`} left. List the rest with: belfry run list --task ${run.task_id} --active`,
      );
  },
});
