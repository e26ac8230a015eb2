import type { AnyClient } from "../../any-client.ts";
import { defineCommand } from "../../command.ts";
import { callEach, type DaemonResult, failureText, onOption, resultAsJson, worstOf } from "../../fleet/each-daemon.ts";
import type { Column } from "../../output/table.ts";

const dayMs = 86_400_000;
/** More are shown as `1000+`. */
const countMax = 1_000;

interface DaemonStatus {
  readonly display_name: string;
  readonly version: string;
  readonly runs: { readonly running: number; readonly queued: number; readonly failed_in_24h: number };
}

type Row = DaemonResult<DaemonStatus>;

const columns: readonly Column<Row>[] = [
  { title: "PROFILE", text: ({ profile }) => profile },
  {
    title: "STATE",
    text: (row) => failureText(row) ?? "running",
    color: ({ failure }) => (failure === null ? "good" : "bad"),
  },
  { title: "NAME", text: ({ answer }) => answer?.display_name ?? null, isFlexible: true },
  { title: "VERSION", text: ({ answer }) => answer?.version ?? null },
  { title: "RUNNING", text: ({ answer }) => count(answer?.runs.running), isNumber: true },
  { title: "QUEUED", text: ({ answer }) => count(answer?.runs.queued), isNumber: true },
  { title: "FAILED IN 24H", text: ({ answer }) => count(answer?.runs.failed_in_24h), isNumber: true },
  { title: "PROBLEM", text: ({ failure }) => failure?.message ?? "", isFlexible: true },
];

export const command = defineCommand({
  options: { on: onOption },
  details: "Calls eight daemons at a time. The exit code is the highest of all daemons.",
  examples: [
    ["belfry fleet status", "show the daemons of all profiles"],
    ["belfry fleet status --on build,web,local", "show three daemons"],
  ],
  run: async ({ options, host, out, ...call }) => {
    const results = await callEach(options.on, { ...call, host, out }, (client) => readStatus(client, host.now()));
    out.answer({ daemons: results.map(resultAsJson) }, () => out.table(columns, results));
    return worstOf(results);
  },
});

async function readStatus(client: AnyClient, nowMs: number): Promise<DaemonStatus> {
  const since = new Date(nowMs - dayMs).toISOString();
  const manifest = await client.manifest.get();
  const [running, queued, failed] = await Promise.all([
    client.runs.list({ state: "running", limit: countMax }),
    client.runs.list({ state: "queued", limit: countMax }),
    client.runs.list({ outcome: "failure", since, limit: countMax }),
  ]);
  return {
    display_name: manifest.display_name,
    version: manifest.product_version,
    runs: { running: running.runs.length, queued: queued.runs.length, failed_in_24h: failed.runs.length },
  };
}

function count(number: number | undefined): string | null {
  if (number === undefined) return null;
  return number < countMax ? String(number) : `${countMax}+`;
}
