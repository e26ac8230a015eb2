import type { Client } from "@belfry/client";
import { formatLocal } from "../output/time.ts";
import type { Finding } from "./finding.ts";
import { readLogTail } from "./log-tail.ts";

const dayMs = 86_400_000;

/** A daemon that ended without stopping in the last 24 hours, as the daemon after it noted at its start. */
export async function checkFormerEnd(client: Client, logPath: string, nowMs: number): Promise<readonly Finding[]> {
  const lines = readLogTail(logPath);
  const index = lines.findLastIndex(({ event }) => event === "daemon.former_killed");
  const noted = lines[index];
  if (noted === undefined || Date.parse(noted.at) < nowMs - dayMs) return [];
  const before = lines[index - 1];
  const seen = before === undefined ? "" : `, after ${formatLocal(before.at)}`;
  const lost = await countLost(client, noted.at);
  const loss =
    lost === 0
      ? "No run and no change was lost"
      : `No change was lost, but ${lost === 1 ? "1 run was" : `${lost} runs were`}. List them with: belfry run list --outcome failure`;
  return [
    {
      subject: "former",
      level: "warn",
      text: `the former daemon, process ${noted.pid}, ended without stopping${seen}: it was killed, or the machine went down. The next one started at ${formatLocal(noted.at)}. ${loss}`,
    },
  ];
}

/** The runs that a daemon found lost from this time on. */
async function countLost(client: Client, since: string): Promise<number> {
  const { runs } = await client.runs.list({ outcome: "failure", limit: 1000 });
  return runs.filter(({ reason, ended_at: at }) => reason === "lost" && at !== null && at >= since).length;
}
