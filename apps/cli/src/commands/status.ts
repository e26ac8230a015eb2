import { defineCommand } from "../command.ts";
import { warnOfFullDisk } from "../doctor/data-dir-checks.ts";
import { flag } from "../options.ts";
import { readStatus } from "../status/read-status.ts";
import { renderStatus } from "../status/render-status.ts";
import { watchStatus } from "../status/watch-status.ts";

export const command = defineCommand({
  options: { watch: flag("-w, --watch", "keep the status up to date, until Ctrl-C") },
  details:
    "USUAL is the median duration of the task's latest successful runs. With --json, --watch prints one line for each change.",
  examples: [
    ["belfry status", "show what runs, what has failed since yesterday, and what is next"],
    ["belfry status --watch", "watch the daemon at work"],
  ],
  run: async ({ connect, connectLocal, options, host, out }) => {
    const client = await connect();
    // the event stream waits for a daemon that is down; here that is an error
    const status = await readStatus(client, host.now());
    if (options.watch === true) return watchStatus(client, { host, out });
    out.answer(status, () => renderStatus(status, out, host.now()));
    const warning = out.json ? null : await warnOfFullDisk(await connectLocal());
    if (warning !== null) out.note(warning);
  },
});
