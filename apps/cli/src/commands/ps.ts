import { defineCommand } from "../command.ts";
import { readRunning } from "../status/read-status.ts";
import { runningColumns } from "../status/render-status.ts";

export const command = defineCommand({
  details: "USUAL is the median duration of the task's latest successful runs.",
  examples: [
    ["belfry ps", "list the active runs, beside the usual duration of their tasks"],
    ["belfry ps --json", "print them as JSON"],
  ],
  run: async ({ connect, host, out }) => {
    const running = await readRunning(await connect());
    if (running.length === 0 && !out.json) return out.note("No run is active");
    out.answer({ running }, () => out.table(runningColumns(host.now(), { isWithId: true }), running));
  },
});
