import { defineCommand } from "../../command.ts";
import { findRunningDaemon } from "../../daemon/running.ts";
import { renderDetails } from "../../output/details.ts";

export const command = defineCommand({
  details: "The exit code is 4 where no daemon answers.",
  examples: [
    ["belfry daemon status", "whether it runs, and where"],
    ["belfry daemon status --json", "for a program"],
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
        ["Version", manifest.product_version],
        ["Socket", socket],
        ["Data", info.data_dir],
        ["Configuration", info.config_path ?? null],
        ["Log", info.log_path],
        ["Runs", `${counts.running} running, ${counts.queued} queued`],
      ]),
    );
  },
});
