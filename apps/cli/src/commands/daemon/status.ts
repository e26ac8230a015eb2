import { defineLocalCommand } from "../../command.ts";
import { findRunningDaemon } from "../../daemon/running.ts";
import { renderDetails } from "../../output/details.ts";
import { version } from "../../version.ts";

export const command = defineLocalCommand({
  details: "The exit code is 4 if the daemon is unreachable. Waits for a daemon that is starting, up to one minute.",
  examples: [
    ["belfry daemon status", "show whether the daemon is running"],
    ["belfry daemon status --json", "print the status as JSON"],
  ],
  run: async ({ connect, location, host, out }) => {
    const client = await connect();
    const { pid, socket, info } = await findRunningDaemon(client, location, host);
    const [manifest, running, queued] = await Promise.all([
      client.manifest.get(),
      client.runs.list({ state: "running", limit: 1000 }),
      client.runs.list({ state: "queued", limit: 1000 }),
    ]);
    const counts = { running: running.runs.length, queued: queued.runs.length };
    const answer = { status: "running", pid, version: manifest.product_version, socket, ...info, runs: counts };
    out.answer(answer, () =>
      renderDetails([
        ["Daemon", `running, process ${pid}`],
        ["Name", manifest.display_name],
        ["Version", `${manifest.product_version}; this command: ${version}`],
        ["Socket", socket],
        ["Fire socket", info.fire_socket?.path ?? null],
        ["Data directory", info.data_dir],
        ["Configuration", info.config_path ?? null],
        ["Log", info.log_path],
        ["Runs", `${counts.running} running, ${counts.queued} queued`],
      ]),
    );
  },
});
